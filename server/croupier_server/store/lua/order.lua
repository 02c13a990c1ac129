#!lua
-- Gives an order to the dealer of a table, once per name.
-- KEYS table, orders, notes
-- ARGV table id, op, order as JSON, most notes kept
-- Orders hold `table|round|answer|JSON`; the answer is empty while the order stands.
-- Returns {'ok', now} | {'unknown', now}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local round = redis.call('HGET', KEYS[1], 'round')
if not round then
  return {'unknown', now}
end
if redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[1] .. '|' .. round .. '||' .. ARGV[3]) == 1 then
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', 't', ARGV[1], 'k', 'order', 'p', '')
end
return {'ok', now}
