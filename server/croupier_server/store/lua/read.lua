#!lua flags=no-writes
-- Reads a table's record together with the position of the pit's stream.
-- KEYS table, events, epoch
-- Returns {now, epoch, last stream id, seq, state, owner, fence, lease_until_ms, sealed, key_id, rules, schema}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)
local numbers = redis.call('HMGET', KEYS[1], 'seq', 'fence', 'lease_until_ms', 'schema')
for index, field in ipairs({'seq', 'fence', 'lease_until_ms', 'schema'}) do
  local text = numbers[index] or '0'
  if #text > 16 or not string.find(text, '^%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. field .. ' is no number')
  end
  numbers[index] = tonumber(text)
end
local seq, fence, lease_until, schema = unpack(numbers)
local record = redis.call('HMGET', KEYS[1], 'state', 'owner', 'sealed', 'key_id', 'rules')
return {now, redis.call('HGET', KEYS[3], 'epoch') or '', last[1] and last[1][1] or '0-0',
  seq, record[1] or '', record[2] or '', fence, lease_until, record[3] or '', record[4] or '', record[5] or '', schema}
