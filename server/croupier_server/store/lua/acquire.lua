#!lua
-- Takes the lease of a table: free, run out, one's own, or one that has not moved for so long by the
-- taker's steady clock that the store's clock must have gone back.
-- KEYS table
-- ARGV owner, lease_ms, schema, still_owner, still_until_ms (the lease seen standing still, or '' and 0)
-- Returns {'held', now, owner, lease_until_ms} | {'newer', now, schema}
--       | {'ok', now, fence, seq, state, sealed, key_id, rules, schema}
local key = KEYS[1]
local kind = redis.call('TYPE', key).ok
if kind ~= 'hash' and kind ~= 'none' then
  return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local numbers = redis.call('HMGET', key, 'fence', 'lease_until_ms', 'schema', 'seq')
for index, field in ipairs({'fence', 'lease_until_ms', 'schema', 'seq'}) do
  local text = numbers[index] or '0'
  if #text > 16 or not string.find(text, '^%d+$') then
    return redis.error_reply('DAMAGED ' .. key .. ': ' .. field .. ' is no number')
  end
  numbers[index] = tonumber(text)
end
local fence, lease_until, schema, seq = unpack(numbers)
if schema > tonumber(ARGV[3]) then
  return {'newer', now, schema}
end
local record = redis.call('HMGET', key, 'owner', 'state', 'sealed', 'key_id', 'rules')
local owner = record[1] or ''
local stands_still = owner == ARGV[4] and lease_until == tonumber(ARGV[5])
if owner ~= '' and owner ~= ARGV[1] and lease_until > now and not stands_still then
  return {'held', now, owner, lease_until}
end
fence = fence + 1
redis.call('HSET', key, 'owner', ARGV[1], 'fence', fence, 'lease_until_ms', now + tonumber(ARGV[2]))
return {'ok', now, fence, seq, record[2] or '', record[3] or '', record[4] or '', record[5] or '', schema}
