#!lua
-- Gives an order to the dealer of a table, once per name.
-- KEYS table, orders, notes, answered
-- ARGV table id, op, order as JSON, most notes kept
-- Orders hold `table|round|answer|JSON`; the answer is empty while the order stands. What has been told of it
-- is among the answered ones, newest first, as `op|table|round|answer|JSON`.
-- Returns {'ok', now}: it stands or has been answered | {'unknown', now}: no such table
--       | {'reused', now}: the name was another order's
local kinds = {'hash', 'hash', 'stream', 'list'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HGET', KEYS[2], ARGV[2])
if not known then
  for _, entry in ipairs(redis.call('LRANGE', KEYS[4], 0, -1)) do
    if string.sub(entry, 1, #ARGV[2] + 1) == ARGV[2] .. '|' then
      known = string.sub(entry, #ARGV[2] + 2)
      break
    end
  end
end
if known then
  local of, order = string.match(known, '^([^|]*)|[^|]*|[^|]*|(.*)$')
  return {of == ARGV[1] and order == ARGV[3] and 'ok' or 'reused', now}
end
local round = redis.call('HGET', KEYS[1], 'round')
if not round then
  return {'unknown', now}
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1] .. '|' .. round .. '||' .. ARGV[3])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', 't', ARGV[1], 'k', 'order', 'p', '')
return {'ok', now}
