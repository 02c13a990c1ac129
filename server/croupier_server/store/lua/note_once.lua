#!lua
-- Notes a significant event of an operation, unless it is among the last ones that were.
-- KEYS significant events, names of those with an operation
-- ARGV event as JSON, its name, most events kept, most names kept
-- Returns {'ok', now}: noted | {'known', now}: before
local kinds = {'stream', 'list'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, known in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
  if known == ARGV[2] then
    return {'known', now}
  end
end
redis.call('LPUSH', KEYS[2], ARGV[2])
redis.call('LTRIM', KEYS[2], 0, ARGV[4] - 1)
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], '*', 'e', ARGV[1])
return {'ok', now}
