#!lua
-- Says that a worker lives, and names all that do. Entries of workers that have fallen silent, or whose time
-- the clock has left behind, are removed.
-- KEYS workers
-- ARGV owner, entry (JSON), how long an entry lives in ms
-- Returns {now, entry, …}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' is a ' .. kind)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f|%s', now, ARGV[2]))
local answer = {now}
local found = redis.call('HGETALL', KEYS[1])
for index = 1, #found, 2 do
  local beaten, entry = string.match(found[index + 1], '^(%d+)|(.*)$')
  if beaten and math.abs(now - tonumber(beaten)) <= tonumber(ARGV[3]) then
    answer[#answer + 1] = entry
  else
    redis.call('HDEL', KEYS[1], found[index])
  end
end
return answer
