#!lua
-- Notes that a receiver has taken everything up to a delivery; what all have taken is removed.
-- KEYS webhooks, deliveries
-- ARGV owner, receiver, number
-- Returns {'ok', now} | {'lost', now}: another server delivers
local kinds = {'hash', 'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
  return {'lost', now}
end
local mine, number = 'sent:' .. ARGV[2], tonumber(ARGV[3])
local least, before = number, 0
local flat = redis.call('HGETALL', KEYS[1])
for index = 1, #flat, 2 do
  local field, value = flat[index], flat[index + 1]
  if string.sub(field, 1, 5) == 'sent:' then
    if not string.find(value, '^%d+$') or #value > 16 then
      return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. field .. ' is no number')
    elseif field == mine then
      before = tonumber(value)
    else
      least = math.min(least, tonumber(value))
    end
  end
end
if number > before then
  redis.call('HSET', KEYS[1], mine, ARGV[3])
end
least = math.min(least, math.max(number, before))
redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', least + 1))
return {'ok', now}
