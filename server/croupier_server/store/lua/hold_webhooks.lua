#!lua
-- Takes the delivery of a pit's webhooks, or keeps it: one server does it at a time.
-- KEYS webhooks, events, deliveries
-- ARGV owner, lease_ms, receiver, …
-- A receiver that is new begins with what comes from now on; what was kept of one that is not named any more is
-- forgotten. The first time, everything begins at the end of the stream.
-- Returns {'held', now, cursor in the events, number of the last delivery, last number taken by each receiver}
--       | {'other', now}
local kinds = {'hash', 'stream', 'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = tonumber(ARGV[2])
local stored, named = {}, {}
local flat = redis.call('HGETALL', KEYS[1])
for index = 1, #flat, 2 do
  local field, value = flat[index], flat[index + 1]
  if field ~= 'owner' and field ~= 'cursor' and (not string.find(value, '^%d+$') or #value > 16) then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. field .. ' is no number')
  end
  stored[field] = value
end
local left = tonumber(stored.lease_until_ms or 0) - now
-- More than a lease ahead is a clock that was set back, and holds nothing.
if stored.owner and stored.owner ~= ARGV[1] and left > 0 and left <= lease then
  return {'other', now}
end
local cursor = stored.cursor
if not cursor then
  local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
  cursor = last and last[1] or '0-0'
end
local number = tonumber(stored.number or 0)
local newest = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)[1]
if newest then
  -- Where the record was lost and the deliveries were not, numbers go on.
  number = math.max(number, tonumber(string.match(newest[1], '^%d+')))
end
local answer = {'held', now, cursor, number}
for index = 3, #ARGV do
  local field = 'sent:' .. ARGV[index]
  named[field] = true
  answer[#answer + 1] = tonumber(stored[field] or number)
end
for field in pairs(stored) do
  if string.sub(field, 1, 5) == 'sent:' and not named[field] then
    redis.call('HDEL', KEYS[1], field)
  end
end
for index = 3, #ARGV do
  redis.call('HSET', KEYS[1], 'sent:' .. ARGV[index], string.format('%.0f', answer[index + 2]))
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'lease_until_ms', string.format('%.0f', now + lease),
  'cursor', cursor, 'number', string.format('%.0f', number))
return answer
