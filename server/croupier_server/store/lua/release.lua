#!lua
-- Gives a lease back, if it is still the caller's, and tells the other dealers.
-- KEYS table, notes
-- ARGV owner, fence, table id, most notes kept, '1' if the owner takes no more tables, or ''
-- Returns {now, 1 or 0: whether it was the caller's}
for index, wanted in ipairs({'hash', 'stream'}) do
  local kind = redis.call('TYPE', KEYS[index]).ok
  if kind ~= wanted and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. KEYS[index] .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'owner', 'fence')
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return {now, 0}
end
redis.call('HSET', KEYS[1], 'owner', '', 'lease_until_ms', now)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 't', ARGV[3], 'k', ARGV[5] == '1' and 'left' or 'free',
  'p', ARGV[1])
return {now, 1}
