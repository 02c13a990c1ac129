#!lua
-- Puts deliveries beside those that wait, and moves the cursor in the pit's events past what they tell of.
-- KEYS webhooks, deliveries
-- ARGV owner, cursor that the caller has read from, cursor after it, most deliveries kept, body, …
-- Returns {'ok', now, number of the last delivery} | {'lost', now}: another server delivers
--       | {'moved', now}: the cursor is elsewhere by now
local kinds = {'hash', 'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'owner', 'cursor', 'number')
if record[1] ~= ARGV[1] then
  return {'lost', now}
elseif record[2] ~= ARGV[2] then
  return {'moved', now}
end
if not string.find(record[3] or '', '^%d+$') or #record[3] > 16 then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': number is no number')
end
local number = tonumber(record[3])
for index = 5, #ARGV do
  number = number + 1
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], string.format('%.0f-0', number), 'b', ARGV[index])
end
redis.call('HSET', KEYS[1], 'cursor', ARGV[3], 'number', string.format('%.0f', number))
return {'ok', now, number}
