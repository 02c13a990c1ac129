#!lua
-- Replaces the slips of some seats and moves the difference between bankroll and stakes, or says why not;
-- each slip is judged for itself, in the order given.
-- What the bets may be has been checked against the listing named by `listing`; time, phase, round, seat,
-- revision and bankroll are judged here.
-- KEYS table, seats, bankrolls, slips, revisions, totals, ready, notes, and where players may limit themselves
--      the pit's limits, as `tell_limits` writes them
-- ARGV  1 table id   2 most notes kept
--       then for each slip: player, round, revision it builds on, op, listing, slip text ('' clears), its stake,
--       number of bets, and bet, cents of each
-- Returns {now, answer, …}, each answer one of
--         {'ok', rev, bankroll, slip} (also when `op` is the one last taken)
--       | {'seat'} | {'leaving'} | {'alarm'} | {'phase', phase} | {'round', round} | {'listing'}
--       | {'changed', rev, bankroll, slip} | {'short', bankroll with the old stake back} | {'damaged', what}
--       | {'excluded', until_ms} | {'own_round', the player's most} | {'own_day', the day's stake with this slip}
--         A slip that stakes no more than the one before is never too much for the player's own limits.
local DAY_MS = 86400000
local kinds = {'hash', 'hash', 'hash', 'hash', 'hash', 'hash', 'hash', 'stream', 'hash'}
local limited = false
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
  limited = index == 9 and kind == 'hash'
end
for _, total in ipairs(redis.call('HVALS', KEYS[6])) do
  if #total > 18 or not string.find(total, '^%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[6] .. ' has a total that is none')
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'phase', 'round', 'closes_at_ms', 'listing', 'alarm')
local today = math.floor(now / DAY_MS)
local open = record[1] == 'betting' and now < tonumber(record[3])

local function place(at)
  local player = ARGV[at]
  local seat = redis.call('HGET', KEYS[2], player)
  if not seat or not string.find(seat, '"state":"taken"', 1, true) then
    return {seat and string.find(seat, '"state":"leaving"', 1, true) and 'leaving' or 'seat'}
  end
  local cents = redis.call('HGET', KEYS[3], player)
  if not cents or #cents > 16 or not string.find(cents, '^%d+$') then
    return {'damaged', KEYS[3] .. ' has no bankroll of ' .. player}
  end
  local bankroll = tonumber(cents)
  local last = redis.call('HGET', KEYS[5], player) or '0|||'
  local rev, op, answer, told = string.match(last, '^(%d+)|([^|]*)|(%d*)|(.*)$')
  if not rev then
    return {'damaged', KEYS[5] .. ' has no revision of ' .. player}
  end
  rev = tonumber(rev)
  if op == ARGV[at + 3] then
    return {'ok', rev, tonumber(answer), told}
  end
  if record[5] then
    return {'alarm'}
  end
  if not open then
    return {'phase', record[1] or ''}
  end
  if record[2] ~= ARGV[at + 1] then
    return {'round', tonumber(record[2])}
  end
  if record[4] ~= ARGV[at + 4] then
    return {'listing'}
  end
  local slip = redis.call('HGET', KEYS[4], player) or ''
  if rev ~= tonumber(ARGV[at + 2]) then
    return {'changed', rev, bankroll, slip}
  end
  local before, staked = {}, 0
  local stakes = string.match(slip, '^%d+|(.*)$')
  if slip ~= '' and (not stakes or string.gsub(stakes .. ',', '[%w_]+=%d+,', '') ~= '') then
    return {'damaged', KEYS[4] .. ' has no slip of ' .. player}
  end
  for bet, amount in string.gmatch(stakes or '', '([%w_]+)=(%d+)') do
    before[bet] = tonumber(amount)
    staked = staked + before[bet]
  end
  local whole = bankroll + staked
  local stake = tonumber(ARGV[at + 6])
  if stake > whole then
    return {'short', whole}
  end
  local own = limited and redis.call('HGET', KEYS[9], player)
  if own then
    local known, ends, most, day, allowed, used = string.match(own, '^(%d+)|(%d+)|(%d*)|(%d+)|(%d*)|(%d+)$')
    if not known then
      return {'damaged', KEYS[9] .. ' has no limits of ' .. player}
    end
    used = tonumber(used)
    if tonumber(day) ~= today then
      used = 0
      allowed = allowed ~= '' and '0' or ''
    end
    used = math.max(used + stake - staked, 0)
    if stake > staked then
      if now < tonumber(ends) then
        return {'excluded', tonumber(ends)}
      elseif most ~= '' and stake > tonumber(most) then
        return {'own_round', tonumber(most)}
      elseif allowed ~= '' and used > tonumber(allowed) then
        return {'own_day', used}
      end
    end
    redis.call('HSET', KEYS[9], player,
      string.format('%s|%s|%s|%.0f|%s|%.0f', known, ends, most, today, allowed, used))
  end
  bankroll = whole - stake
  redis.call('HSET', KEYS[3], player, bankroll)
  for index = at + 8, at + 7 + 2 * ARGV[at + 7], 2 do
    local bet, amount = ARGV[index], tonumber(ARGV[index + 1])
    redis.call('HINCRBY', KEYS[6], bet, amount - (before[bet] or 0))
    before[bet] = nil
  end
  for bet, amount in pairs(before) do
    redis.call('HINCRBY', KEYS[6], bet, 0 - amount)
  end
  local text = ''
  if ARGV[at + 5] == '' then
    redis.call('HDEL', KEYS[4], player)
  else
    text = ARGV[at + 1] .. '|' .. ARGV[at + 5]
    redis.call('HSET', KEYS[4], player, text)
  end
  rev = rev + 1
  redis.call('HSET', KEYS[5], player, string.format('%.0f|%s|%.0f|%s', rev, ARGV[at + 3], bankroll, text))
  redis.call('HDEL', KEYS[7], player)
  redis.call('XADD', KEYS[8], 'MAXLEN', '~', ARGV[2], '*', 't', ARGV[1], 'k', 'slip', 'p', player, 'r', rev)
  return {'ok', rev, bankroll, text}
end

local answers = {now}
local at = 3
while at <= #ARGV do
  answers[#answers + 1] = place(at)
  at = at + 8 + 2 * ARGV[at + 7]
end
return answers
