#!lua
-- Takes the lease of a table: free, run out, one's own, or one that has not moved for so long by the
-- taker's steady clock that the store's clock must have gone back.
-- KEYS table
-- ARGV owner, lease_ms, schema, still_owner, still_until_ms (the lease seen standing still, or '' and 0)
-- Returns {'held', now, owner, lease_until_ms} | {'newer', now, schema}
--       | {'ok', now, fence, seq, state, sealed, key_id}
local key = KEYS[1]
local kind = redis.call('TYPE', key).ok
if kind ~= 'hash' and kind ~= 'none' then
  return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', key, 'owner', 'fence', 'lease_until_ms', 'schema', 'seq', 'state', 'sealed', 'key_id')
local owner = record[1] or ''
local lease_until = tonumber(record[3] or '0')
if record[4] and tonumber(record[4]) > tonumber(ARGV[3]) then
  return {'newer', now, tonumber(record[4])}
end
local stands_still = owner == ARGV[4] and lease_until == tonumber(ARGV[5])
if owner ~= '' and owner ~= ARGV[1] and lease_until > now and not stands_still then
  return {'held', now, owner, lease_until}
end
local fence = tonumber(record[2] or '0') + 1
redis.call('HSET', key, 'owner', ARGV[1], 'fence', fence, 'lease_until_ms', now + tonumber(ARGV[2]))
return {'ok', now, fence, tonumber(record[5] or '0'), record[6] or '', record[7] or '', record[8] or ''}
