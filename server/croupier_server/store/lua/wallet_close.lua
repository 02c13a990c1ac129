#!lua
-- Forgets the wallet of a player that will never come back. One that has lost or won at the tables stays as a
-- handful of counters, since the pit's house holds the other side of them; all that is told of it goes.
-- KEYS wallet, its recent operations, rounds of the player
-- ARGV '1' when it was seen even and is off the register, or ''
-- Returns {'gone', now} | {'kept', now}: the counters stay | {'busy', now}: it holds money, nothing was done
local kinds = {'hash', 'list', 'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
  kinds[index] = kind
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if kinds[1] == 'none' then
  redis.call('DEL', KEYS[2], KEYS[3])
  return {'gone', now}
end
local held = redis.call('HMGET', KEYS[1], 'balance', 'issued', 'retired', 'to_tables', 'from_tables')
if held[1] ~= '0' then
  return {'busy', now}
end
redis.call('DEL', KEYS[2], KEYS[3])
if ARGV[1] == '1' and held[2] == held[3] and held[4] == held[5] then
  redis.call('DEL', KEYS[1])
  return {'gone', now}
end
return {'kept', now}
