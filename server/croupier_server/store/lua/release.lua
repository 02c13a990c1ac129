#!lua
-- Gives a lease back, if it is still the caller's.
-- KEYS table
-- ARGV owner, fence
-- Returns {now, 1 or 0: whether it was the caller's}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'owner', 'fence')
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return {now, 0}
end
redis.call('HSET', KEYS[1], 'owner', '', 'lease_until_ms', 0)
return {now, 1}
