#!lua
-- Makes a guest, with a first token.
-- KEYS guest
-- ARGV digest of the token, name ('' for none)
-- Returns {now}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'name', ARGV[2], 'seen_ms', now, 't:' .. ARGV[1], '|' .. now .. '|0')
return {now}
