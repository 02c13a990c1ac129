#!lua
-- Notes that players are connected now.
-- KEYS present of a table, …
-- ARGV for each key in order: how many players, then the players
-- Returns {now}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local at = 1
for _, key in ipairs(KEYS) do
  local count = tonumber(ARGV[at])
  for index = at + 1, at + count do
    redis.call('HSET', key, ARGV[index], now)
  end
  at = at + count + 1
end
return {now}
