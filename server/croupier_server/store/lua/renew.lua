#!lua
-- Extends the leases that are still the caller's. A key of another type holds no lease, and does not keep
-- the others from being extended.
-- KEYS table, …
-- ARGV owner, lease_ms, fence of each table in the order of KEYS
-- Returns {now, 1 or 0 for each table: whether the lease is still held}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {now}
for index, key in ipairs(KEYS) do
  local record = redis.call('TYPE', key).ok == 'hash' and redis.call('HMGET', key, 'owner', 'fence') or {}
  local held = record[1] == ARGV[1] and record[2] == ARGV[2 + index]
  if held then
    redis.call('HSET', key, 'lease_until_ms', now + tonumber(ARGV[2]))
  end
  answer[#answer + 1] = held and 1 or 0
end
return answer
