#!lua
-- Takes note of how far an archive has the ledger, so that it may be trimmed to there. The archive's last
-- posting itself is kept: by it the archive sees that the ledger is the one that it knows.
-- KEYS archive
-- ARGV id of the archive, position of the last posting that it has, '1' to take the place of another, or ''
-- The hash holds `id` and `upto` of the archive, and `lost`, the postings that were trimmed before it had them.
-- Returns {'ok', now} | {'other', now}: the ledger goes to another archive
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' is a ' .. kind)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local id = redis.call('HGET', KEYS[1], 'id')
if id and id ~= ARGV[1] and ARGV[3] ~= '1' then
  return {'other', now}
end
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'upto', ARGV[2])
return {'ok', now}
