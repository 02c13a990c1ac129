#!lua
-- Answers an order, if it still stands and the table is the caller's.
-- KEYS table, orders
-- ARGV owner, fence, op, `table|round|answer|` as orders begin, see `order.lua`
-- Returns {'ok', now} | {'lost', now}
for _, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'hash' and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'owner', 'fence')
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return {'lost', now}
end
local order = string.match(redis.call('HGET', KEYS[2], ARGV[3]) or '', '^[^|]*|[^|]*||(.*)$')
if order then
  redis.call('HSET', KEYS[2], ARGV[3], ARGV[4] .. order)
end
return {'ok', now}
