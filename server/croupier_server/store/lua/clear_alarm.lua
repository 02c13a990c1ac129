#!lua
-- Lets a table take bets again after an operator has looked into its alarm, unless another alarm has come
-- meanwhile.
-- KEYS table, notes
-- ARGV table id, the alarm that was looked into, why it may be cleared, most notes kept
-- The record keeps the last as `cleared_alarm`: `at_ms|why|alarm`.
-- Returns {now, 1 or 0: whether it was cleared}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('HGET', KEYS[1], 'alarm') ~= ARGV[2] then
  return {now, 0}
end
redis.call('HDEL', KEYS[1], 'alarm')
redis.call('HSET', KEYS[1], 'cleared_alarm', string.format('%.0f|%s|%s', now, ARGV[3], ARGV[2]))
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 't', ARGV[1], 'k', 'alarm', 'p', '')
return {now, 1}
