#!lua
-- Ends a transfer in the pit once the wallet has given its verdict: a buy-in that was paid brings its chips
-- to the seat, one that was refused gives the seat back, and a cash-out is only forgotten.
-- KEYS seats, bankrolls, revisions, transfers, ledger, notes
-- ARGV 1 table id   2 player   3 number of the transfer   4 '1' when it was paid, or ''
--      5 cents that the wallet holds since   6 most notes kept
-- Returns {'ok', now} | {'gone', now}: ended before | {'full', now}: not now, the seat has no room for so much
local kinds = {'hash', 'hash', 'hash', 'hash', 'stream', 'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local player, field = ARGV[2], ARGV[1] .. '|' .. ARGV[2]
local transfer = redis.call('HGET', KEYS[4], field)
if not transfer then
  return {'gone', now}
end
local number, kind, cents = string.match(transfer, '^(%d+)|([%l_]+)|[^|]*|[^|]*|(%d+)|%d+|%d+$')
if not number or #cents > 16 then
  return redis.error_reply('DAMAGED ' .. KEYS[4] .. ': ' .. field .. ' is no transfer')
end
if tonumber(number) ~= tonumber(ARGV[3]) then
  return {'gone', now}
end
local paid, amount = ARGV[4] == '1', tonumber(cents)
if kind ~= 'cash_out' then
  local seat, bankroll = redis.call('HGET', KEYS[1], player), redis.call('HGET', KEYS[2], player)
  local state = seat and string.match(seat, '"state":"(%l+)"')
  if kind == 'buy_in' and (state ~= 'buying' or bankroll) then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has no seat of ' .. player .. ' that is being bought')
  elseif kind == 'top_up' and (state ~= 'taken' or not bankroll) then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has no seat of ' .. player .. ' to bring chips to')
  end
  bankroll = bankroll or '0'
  if #bankroll > 16 or not string.find(bankroll, '^%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[2] .. ' has no bankroll of ' .. player)
  end
  local whole = tonumber(bankroll) + amount
  if paid and whole > 9007199254740991 then
    return {'full', now}
  end
  if paid or kind == 'top_up' then
    local rest = string.gsub(string.gsub(seat, ',"number":%d+', ''), '"state":"buying"', '"state":"taken"', 1)
    redis.call('HSET', KEYS[1], player, string.sub(rest, 1, -2) .. ',"number":' .. number .. '}')
  end
  if paid then
    redis.call('HSET', KEYS[2], player, whole)
    if kind == 'buy_in' then
      -- Slips of an earlier sitting built on lower revisions: one that comes late is not taken.
      redis.call('HSET', KEYS[3], player, number .. '||0|')
    end
    redis.call('XADD', KEYS[5], '*', 'k', kind, 't', ARGV[1], 'p', player, 'n', tonumber(number), 'a', amount)
  elseif kind == 'buy_in' then
    redis.call('HDEL', KEYS[1], player)
  end
end
redis.call('HDEL', KEYS[4], field)
if kind == 'cash_out' then
  redis.call('XADD', KEYS[6], 'MAXLEN', '~', ARGV[6], '*', 't', ARGV[1], 'k', 'wallet', 'p', player, 'w', ARGV[5])
else
  redis.call('XADD', KEYS[6], 'MAXLEN', '~', ARGV[6], '*', 't', ARGV[1], 'k', 'seat', 'p', player)
end
return {'ok', now}
