#!lua
-- Ends a seat: takes its bankroll into a transfer to the wallet, or, while it has a slip on the running
-- round, marks it as leaving, to be ended after that.
-- KEYS seats, bankrolls, slips, revisions, ready, present, transfers, ledger, notes
-- ARGV  1 table id   2 player   3 op   4 request
--       5 number of the last transfer with this table that the wallet has seen, when it did not know `op`;
--         '' for whoever may end any seat   6 most notes kept
-- Returns {'ok', now, transfer} (also when it is there already) | {'pending', now, another transfer}
--       | {'moved', now} | {'seat', now} | {'leaving', now}: marked, now or before
local kinds = {'hash', 'hash', 'hash', 'hash', 'hash', 'hash', 'hash', 'stream', 'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local player, field = ARGV[2], ARGV[1] .. '|' .. ARGV[2]
local pending = redis.call('HGET', KEYS[7], field)
if pending then
  local op, request = string.match(pending, '^%d+|[%l_]+|([^|]*)|([^|]*)|%d+|%d+|%d+$')
  if not op then
    return redis.error_reply('DAMAGED ' .. KEYS[7] .. ': ' .. field .. ' is no transfer')
  end
  return {op == ARGV[3] and request == ARGV[4] and 'ok' or 'pending', now, pending}
end
local seat = redis.call('HGET', KEYS[1], player)
if not seat then
  if redis.call('HEXISTS', KEYS[2], player) == 1 or redis.call('HEXISTS', KEYS[3], player) == 1 then
    return redis.error_reply('DAMAGED ' .. KEYS[2] .. ' has chips of ' .. player .. ' without a seat')
  end
  return {'seat', now}
end
local chosen, state = string.match(seat, '^{"seat":(%d+)'), string.match(seat, '"state":"(%l+)"')
if not chosen or (state ~= 'taken' and state ~= 'leaving') then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has a seat of ' .. player .. ' that nobody buys')
end
if ARGV[5] ~= '' and (string.match(seat, '"number":(%d+)') or '0') ~= ARGV[5] then
  return {'moved', now}
end
if redis.call('HEXISTS', KEYS[3], player) == 1 then
  if state == 'taken' then
    local rest = string.gsub(string.gsub(seat, ',"op":"[%w_-]*"', ''), '"state":"taken"', '"state":"leaving"', 1)
    redis.call('HSET', KEYS[1], player, string.sub(rest, 1, -2) .. ',"op":"' .. ARGV[3] .. '"}')
    redis.call('XADD', KEYS[9], 'MAXLEN', '~', ARGV[6], '*', 't', ARGV[1], 'k', 'seat', 'p', player)
  end
  return {'leaving', now}
end
local cents = redis.call('HGET', KEYS[2], player)
if not cents or #cents > 16 or not string.find(cents, '^%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[2] .. ' has no bankroll of ' .. player)
end
local last = redis.call('HGET', KEYS[7], 'number') or '0'
if #last > 16 or not string.find(last, '^%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[7] .. ': number is no number')
end
local op = state == 'leaving' and string.match(seat, '"op":"([%w_-]+)"') or ARGV[3]
local number = math.max(tonumber(last) + 1, now)
local transfer = string.format('%.0f|cash_out|%s|%s|%s|%s|%.0f', number, op, ARGV[4], cents, chosen, now)
redis.call('HSET', KEYS[7], 'number', number, field, transfer)
for index = 1, 6 do
  redis.call('HDEL', KEYS[index], player)
end
redis.call('XADD', KEYS[8], '*', 'k', 'cash_out', 't', ARGV[1], 'p', player, 'n', number, 'a', tonumber(cents))
redis.call('XADD', KEYS[9], 'MAXLEN', '~', ARGV[6], '*', 't', ARGV[1], 'k', 'seat', 'p', player)
return {'ok', now, transfer}
