#!lua
-- Replaces a seat's slip and moves the difference between bankroll and stakes, or says why not.
-- What the bets may be has been checked against the listing named by `listing`; time, phase, round, seat,
-- revision and bankroll are judged here.
-- KEYS table, seats, bankrolls, slips, revisions, totals, ready, notes
-- ARGV  1 table id   2 player   3 round   4 revision it builds on   5 op   6 listing   7 slip text ('' clears)
--       8 stake of the slip   9 most notes kept   then bet, cents of each bet of the slip
-- Returns {'ok', now, rev, bankroll, slip} (also when `op` is the one last taken)
--       | {'seat', now} | {'leaving', now} | {'alarm', now} | {'phase', now, phase}
--       | {'round', now, round} | {'listing', now}
--       | {'changed', now, rev, bankroll, slip} | {'short', now, bankroll with the old stake back}
local kinds = {'hash', 'hash', 'hash', 'hash', 'hash', 'hash', 'hash', 'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local player = ARGV[2]
local seat = redis.call('HGET', KEYS[2], player)
if not seat or not string.find(seat, '"state":"taken"', 1, true) then
  return {seat and string.find(seat, '"state":"leaving"', 1, true) and 'leaving' or 'seat', now}
end
local cents = redis.call('HGET', KEYS[3], player)
if not cents or #cents > 16 or not string.find(cents, '^%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[3] .. ' has no bankroll of ' .. player)
end
local bankroll = tonumber(cents)
local rev, op, answer, told = string.match(redis.call('HGET', KEYS[5], player) or '0|||', '^(%d+)|([^|]*)|(%d*)|(.*)$')
if not rev then
  return redis.error_reply('DAMAGED ' .. KEYS[5] .. ' has no revision of ' .. player)
end
rev = tonumber(rev)
if op == ARGV[5] then
  return {'ok', now, rev, tonumber(answer), told}
end
local slip = redis.call('HGET', KEYS[4], player) or ''
local record = redis.call('HMGET', KEYS[1], 'phase', 'round', 'closes_at_ms', 'listing', 'alarm')
if record[5] then
  return {'alarm', now}
end
if record[1] ~= 'betting' or now >= tonumber(record[3]) then
  return {'phase', now, record[1] or ''}
end
if record[2] ~= ARGV[3] then
  return {'round', now, tonumber(record[2])}
end
if record[4] ~= ARGV[6] then
  return {'listing', now}
end
if rev ~= tonumber(ARGV[4]) then
  return {'changed', now, rev, bankroll, slip}
end
local before, staked = {}, 0
local stakes = string.match(slip, '^%d+|(.*)$')
if slip ~= '' and (not stakes or string.gsub(stakes .. ',', '[%w_]+=%d+,', '') ~= '') then
  return redis.error_reply('DAMAGED ' .. KEYS[4] .. ' has no slip of ' .. player)
end
for bet, amount in string.gmatch(stakes or '', '([%w_]+)=(%d+)') do
  before[bet] = tonumber(amount)
  staked = staked + before[bet]
end
for _, total in ipairs(redis.call('HVALS', KEYS[6])) do
  if #total > 18 or not string.find(total, '^%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[6] .. ' has a total that is none')
  end
end
local whole = bankroll + staked
local stake = tonumber(ARGV[8])
if stake > whole then
  return {'short', now, whole}
end
bankroll = whole - stake
redis.call('HSET', KEYS[3], player, bankroll)
for index = 10, #ARGV, 2 do
  local bet, amount = ARGV[index], tonumber(ARGV[index + 1])
  redis.call('HINCRBY', KEYS[6], bet, amount - (before[bet] or 0))
  before[bet] = nil
end
for bet, amount in pairs(before) do
  redis.call('HINCRBY', KEYS[6], bet, 0 - amount)
end
local text = ''
if ARGV[7] == '' then
  redis.call('HDEL', KEYS[4], player)
else
  text = ARGV[3] .. '|' .. ARGV[7]
  redis.call('HSET', KEYS[4], player, text)
end
rev = rev + 1
redis.call('HSET', KEYS[5], player, string.format('%.0f|%s|%.0f|%s', rev, ARGV[5], bankroll, text))
redis.call('HDEL', KEYS[7], player)
redis.call('XADD', KEYS[8], 'MAXLEN', '~', ARGV[9], '*', 't', ARGV[1], 'k', 'slip', 'p', player)
return {'ok', now, rev, bankroll, text}
