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
local field, number = 'sent:' .. ARGV[2], tonumber(ARGV[3])
if number > tonumber(redis.call('HGET', KEYS[1], field) or 0) then
  redis.call('HSET', KEYS[1], field, ARGV[3])
end
local found, least = redis.call('HGETALL', KEYS[1]), number
for index = 1, #found, 2 do
  if string.sub(found[index], 1, 5) == 'sent:' then
    least = math.min(least, tonumber(found[index + 1]))
  end
end
redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', least + 1))
return {'ok', now}
