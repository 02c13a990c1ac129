#!lua
-- Makes sure that the pit's stream is in the life it seems to be in: a stream that is gone, a server that
-- is another one, an epoch without a proper name or one that somebody found broken begin a new one.
-- KEYS epoch, events
-- ARGV name of a new epoch, the epoch found broken or '', most entries kept
-- Returns {now, epoch, 1 or 0: whether it is new}
for index, wanted in ipairs({'hash', 'stream'}) do
  local kind = redis.call('TYPE', KEYS[index]).ok
  if kind ~= wanted and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. KEYS[index] .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local run_id = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local stored = redis.call('HMGET', KEYS[1], 'epoch', 'run_id')
local sound = stored[1] and stored[1] ~= ARGV[2] and string.find(stored[1], '^%w+$')
if sound and stored[2] == run_id and redis.call('EXISTS', KEYS[2]) == 1 then
  return {now, stored[1], 0}
end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'run_id', run_id)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', 'e', ARGV[1])
return {now, ARGV[1], 1}
