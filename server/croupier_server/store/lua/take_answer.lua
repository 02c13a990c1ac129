#!lua
-- Takes the answer of an order from where dealers look to where it is told from again.
-- KEYS orders, answered
-- ARGV op, most answers kept, 'withdraw' to take back an order that has none
-- Returns {'answered', now, answer} | {'waits', now} | {'gone', now}: it was taken back
local kinds = {'hash', 'list'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if not stored then
  for _, entry in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
    if string.sub(entry, 1, #ARGV[1] + 1) == ARGV[1] .. '|' then
      return {'answered', now, string.match(entry, '^[^|]*|[^|]*|[^|]*|([^|]*)|')}
    end
  end
  return {'gone', now}
end
local answer = string.match(stored, '^[^|]*|[^|]*|([^|]*)|')
if not answer then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. ARGV[1] .. ' is no order')
end
if answer ~= '' then
  redis.call('LPUSH', KEYS[2], ARGV[1] .. '|' .. stored)
  redis.call('LTRIM', KEYS[2], 0, tonumber(ARGV[2]) - 1)
  redis.call('HDEL', KEYS[1], ARGV[1])
  return {'answered', now, answer}
elseif ARGV[3] == 'withdraw' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  return {'gone', now}
end
return {'waits', now}
