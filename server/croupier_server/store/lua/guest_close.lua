#!lua
-- Closes a guest that nobody has been for long: every token ends. What is left of the record stays until the
-- guest's chips are retired.
-- KEYS guest
-- ARGV ms unused after which a guest is closed
-- Returns {'closed', now} | {'kept', now, when it was last used} | {'gone', now}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = redis.call('HGET', KEYS[1], 'seen_ms')
if not seen then
  return {'gone', now}
end
if now - tonumber(seen) < tonumber(ARGV[1]) then
  return {'kept', now, tonumber(seen)}
end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 2) == 't:' then
    redis.call('HDEL', KEYS[1], field)
  end
end
return {'closed', now}
