#!lua
-- Stops a table's betting until an operator has looked into it: the first reason stays.
-- KEYS table, notes
-- ARGV table id, reason, most notes kept
-- Returns {now}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('HSETNX', KEYS[1], 'alarm', ARGV[2]) == 1 then
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', 't', ARGV[1], 'k', 'alarm', 'p', '')
end
return {now}
