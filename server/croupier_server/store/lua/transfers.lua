#!lua flags=no-writes
-- The transfers that are under way in a pit.
-- KEYS transfers
-- Returns {now, {field, value, …}}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return {now, redis.call('HGETALL', KEYS[1])}
