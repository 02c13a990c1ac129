#!lua
-- Takes a seated player's part in the cut of a shoe: the hash of a value, later the value itself.
-- KEYS table, seats, cut, notes
-- ARGV table id, player, shoe, the hash, the value or '' for the hash alone, most notes kept
-- What stands already is answered alike, whenever it is sent again.
-- Returns {'ok', now} | {'seat', now} | {'closed', now} | {'differs', now}
local kinds = {'hash', 'hash', 'hash', 'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local shoe, stage, until_ms = string.match(redis.call('HGET', KEYS[1], 'cut') or '', '^(%d+)|(%a+)|(%d+)$')
if shoe ~= ARGV[3] then
  return {'closed', now}
end
local hash, value = ARGV[4], ARGV[5]
local seat, stood = string.match(redis.call('HGET', KEYS[3], ARGV[2]) or '', '^(%d+)|(.*)$')
if seat and (#stood ~= 32 and #stood ~= 64) then
  return redis.error_reply('DAMAGED ' .. KEYS[3] .. ' has no part of ' .. ARGV[2])
end
if seat and string.sub(stood, 1, 32) ~= hash then
  return {'differs', now}
end
if seat and (value == '' or string.sub(stood, 33) == value) then
  return {'ok', now}
end
if stage ~= (value == '' and 'hashes' or 'values') or now >= tonumber(until_ms) then
  return {'closed', now}
end
if value == '' then
  local record = redis.call('HGET', KEYS[2], ARGV[2]) or ''
  seat = string.find(record, '"state":"taken"', 1, true) and string.match(record, '"seat":(%d+)')
  if not seat then
    return {'seat', now}
  end
elseif not seat then
  return {'closed', now}
end
redis.call('HSET', KEYS[3], ARGV[2], seat .. '|' .. hash .. value)
redis.call('HINCRBY', KEYS[3], '#', 1)
redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[6], '*', 't', ARGV[1], 'k', 'cut', 'p', '')
return {'ok', now}
