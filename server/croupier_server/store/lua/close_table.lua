#!lua
-- Takes a table that has ended off the list, answers the order that ended it and gives the lease back. Not
-- while anybody has a seat or chips on their way there; the record stays.
-- KEYS table, tables, seats, transfers, orders, notes
-- ARGV owner, fence, table id, op of the order, most notes kept
-- Returns {'ok', now} | {'lost', now} | {'taken', now}: there is somebody | {'withdrawn', now}: no such order
local kinds = {'hash', 'hash', 'hash', 'hash', 'hash', 'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'owner', 'fence', 'phase', 'round')
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] or record[3] ~= 'ended' then
  return {'lost', now}
end
if redis.call('HLEN', KEYS[3]) > 0 then
  return {'taken', now}
end
for _, field in ipairs(redis.call('HKEYS', KEYS[4])) do
  if string.sub(field, 1, #ARGV[3] + 1) == ARGV[3] .. '|' then
    return {'taken', now}
  end
end
local order = string.match(redis.call('HGET', KEYS[5], ARGV[4]) or '', '^[^|]*|[^|]*|[^|]*|(.*)$')
if not order then
  return {'withdrawn', now}
end
redis.call('HSET', KEYS[5], ARGV[4], ARGV[3] .. '|' .. (record[4] or '0') .. '|done|' .. order)
redis.call('HDEL', KEYS[2], ARGV[3])
redis.call('HSET', KEYS[1], 'owner', '', 'lease_until_ms', now)
redis.call('XADD', KEYS[6], 'MAXLEN', '~', ARGV[5], '*', 't', ARGV[3], 'k', 'listed', 'p', '')
return {'ok', now}
