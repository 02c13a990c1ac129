#!lua
-- Puts tables on the pit's list, with their settings, and tells dealers and gateways of those that changed.
-- A table leaves the list only when it is closed, which its record says, or when a configuration drops it.
-- KEYS tables, notes, record of each table
-- ARGV most notes kept, '1' for tables that were missed on the list: a closed one stays off it, or '',
--      then table id, listing (JSON) of each
-- Returns {now, 1 or 0 for each table: whether it is listed}
for index, wanted in ipairs({'hash', 'stream'}) do
  local kind = redis.call('TYPE', KEYS[index]).ok
  if kind ~= wanted and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. KEYS[index] .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {now}
for index = 3, #KEYS do
  local name, listing = ARGV[2 * index - 3], ARGV[2 * index - 2]
  local closed = redis.call('TYPE', KEYS[index]).ok == 'hash' and redis.call('HGET', KEYS[index], 'phase') == 'ended'
  local listed = not (closed and ARGV[2] == '1')
  if listed and redis.call('HGET', KEYS[1], name) ~= listing then
    redis.call('HSET', KEYS[1], name, listing)
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], '*', 't', name, 'k', 'listed', 'p', '')
  end
  answer[#answer + 1] = listed and 1 or 0
end
return answer
