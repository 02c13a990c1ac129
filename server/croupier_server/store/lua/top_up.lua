#!lua
-- Records a transfer that is to bring more chips to a seat, or says what stands in the way.
-- KEYS seats, bankrolls, slips, transfers
-- ARGV  1 table id   2 player   3 op   4 request   5 cents
--       6 number of the last transfer with this table that the wallet has seen, when it did not know `op`
--       7 least cents to buy with nothing left   8 most cents in front of a seat
-- Returns {'ok', now, transfer} (also when it is there already) | {'pending', now, another transfer}
--       | {'moved', now} | {'seat', now} | {'leaving', now} | {'limit', now, cents the seat has}
for _, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'hash' and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local player, field = ARGV[2], ARGV[1] .. '|' .. ARGV[2]
local pending = redis.call('HGET', KEYS[4], field)
if pending then
  local op, request = string.match(pending, '^%d+|[%l_]+|([^|]*)|([^|]*)|%d+|%d+|%d+$')
  if not op then
    return redis.error_reply('DAMAGED ' .. KEYS[4] .. ': ' .. field .. ' is no transfer')
  end
  return {op == ARGV[3] and request == ARGV[4] and 'ok' or 'pending', now, pending}
end
local seat = redis.call('HGET', KEYS[1], player)
if not seat then
  return {'seat', now}
end
local chosen, state = string.match(seat, '^{"seat":(%d+)'), string.match(seat, '"state":"(%l+)"')
if state == 'leaving' then
  return {'leaving', now}
elseif state ~= 'taken' or not chosen then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has a seat of ' .. player .. ' that nobody buys')
end
if (string.match(seat, '"number":(%d+)') or '0') ~= ARGV[6] then
  return {'moved', now}
end
local cents = redis.call('HGET', KEYS[2], player)
if not cents or #cents > 16 or not string.find(cents, '^%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[2] .. ' has no bankroll of ' .. player)
end
local last = redis.call('HGET', KEYS[4], 'number') or '0'
if #last > 16 or not string.find(last, '^%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[4] .. ': number is no number')
end
local whole = tonumber(cents)
for staked in string.gmatch(redis.call('HGET', KEYS[3], player) or '', '=(%d+)') do
  whole = whole + tonumber(staked)
end
local amount = tonumber(ARGV[5])
if whole + amount > tonumber(ARGV[8]) or (whole == 0 and amount < tonumber(ARGV[7])) then
  return {'limit', now, whole}
end
local number = math.max(tonumber(last) + 1, now)
local transfer = string.format('%.0f|top_up|%s|%s|%s|%s|%.0f', number, ARGV[3], ARGV[4], ARGV[5], chosen, now)
redis.call('HSET', KEYS[4], 'number', number, field, transfer)
return {'ok', now, transfer}
