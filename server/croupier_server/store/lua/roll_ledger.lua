#!lua
-- Takes the next postings of the ledger into its base, and drops the oldest beyond the most that are kept: of
-- those that the base has taken in, and where an archive is configured, that it has, too. Beyond the most that
-- wait for an archive that is away they are dropped all the same, and counted as lost to it.
-- KEYS ledger, its base, archive
-- ARGV 1 postings to take in at most; twice as many are dropped at most   2 most postings kept
--      3 '' without an archive, or most postings kept while they wait for it
-- The base holds `upto`, `postings` taken in, `trimmed`, `trimmed_upto` (the last one dropped), and each
-- account that is not at zero: `house`, `seat:<table>|<player>` (bankroll and stakes), `wallet:<player>`
-- (below zero: bought more than cashed out). See `archived.lua` for what the archive's hash holds.
-- Returns {now, postings taken in, postings dropped, ms that the oldest waits for the archive, lost to it in all}
local kinds = {'stream', 'hash', 'hash'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local upto = redis.call('HGET', KEYS[2], 'upto') or '0-0'
local archived = ARGV[3] ~= '' and (redis.call('HGET', KEYS[3], 'upto') or '0-0')
for key, position in pairs({[KEYS[2]] = upto, [KEYS[3]] = archived or nil}) do
  if not string.find(position, '^%d+-%d+$') then
    return redis.error_reply('DAMAGED ' .. key .. ': upto is no position')
  end
end
local lost_before = archived and redis.call('HGET', KEYS[3], 'lost') or '0'
if #lost_before > 15 or not string.find(lost_before, '^%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[3] .. ': lost is no number')
end
local function is_after(one, other)
  local ms, sequence = string.match(one, '(%d+)-(%d+)')
  local other_ms, other_sequence = string.match(other, '(%d+)-(%d+)')
  if ms ~= other_ms then
    return tonumber(ms) > tonumber(other_ms)
  end
  return tonumber(sequence) > tonumber(other_sequence)
end
local function amount(text, negative)
  return text and #text <= 17 and string.find(text, negative and '^-?%d+$' or '^%d+$') and tonumber(text)
end
local sums, moves, last = {}, {}, nil
local function move(account, cents)
  local sum = (sums[account] or 0) + cents
  if math.abs(sum) > 9007199254740991 then
    moves[#moves + 1] = {account, sums[account]}
    sum = cents
  end
  sums[account] = sum
end
local postings = redis.call('XRANGE', KEYS[1], '(' .. upto, '+', 'COUNT', ARGV[1])
for _, posting in ipairs(postings) do
  local fields = {}
  for index = 1, #posting[2], 2 do
    fields[posting[2][index]] = posting[2][index + 1]
  end
  local kind, seat = fields.k, 'seat:' .. (fields.t or '') .. '|' .. (fields.p or '')
  local other, cents
  if kind == 'settle' or kind == 'void' then
    local staked, returned = amount(fields.s), amount(fields.w)
    other, cents = 'house', amount(fields.h, true)
    if cents and not (staked and returned and staked - returned == cents) then
      cents = nil
    end
  elseif kind == 'buy_in' or kind == 'top_up' then
    other, cents = 'wallet:' .. (fields.p or ''), amount(fields.a)
    cents = cents and 0 - cents
  elseif kind == 'cash_out' then
    other, cents = 'wallet:' .. (fields.p or ''), amount(fields.a)
  elseif kind == 'round' then
    other, cents = 'house', 0
  end
  if not cents or not fields.t or not fields.p then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. posting[1] .. ' is no posting')
  end
  if kind ~= 'round' then
    move(seat, 0 - cents)
    move(other, cents)
  end
  last = posting[1]
end
for account, cents in pairs(sums) do
  moves[#moves + 1] = {account, cents}
end
for _, one in ipairs(moves) do
  local balance = redis.call('HGET', KEYS[2], one[1]) or '0'
  if #balance > 18 or not string.find(balance, '^-?%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[2] .. ': ' .. one[1] .. ' is no number')
  end
end
for _, one in ipairs(moves) do
  if redis.call('HINCRBY', KEYS[2], one[1], one[2]) == 0 then
    redis.call('HDEL', KEYS[2], one[1])
  end
end
if last then
  redis.call('HSET', KEYS[2], 'upto', last)
  redis.call('HINCRBY', KEYS[2], 'postings', #postings)
end
local length, most = redis.call('XLEN', KEYS[1]), 2 * tonumber(ARGV[1])
local oldest, dropped, lost = {}, 0, 0
if length > tonumber(ARGV[2]) then
  oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', math.min(length - tonumber(ARGV[2]), most))
end
for index, posting in ipairs(oldest) do
  local waits = archived and not is_after(archived, posting[1])
  if is_after(posting[1], last or upto) or waits and index > length - tonumber(ARGV[3]) then
    break
  end
  dropped = index
  if waits and posting[1] ~= archived then
    lost = lost + 1
  end
end
if dropped > 0 then
  redis.call('XTRIM', KEYS[1], 'MAXLEN', '=', length - dropped)
  redis.call('HINCRBY', KEYS[2], 'trimmed', dropped)
  redis.call('HSET', KEYS[2], 'trimmed_upto', oldest[dropped][1])
end
if lost > 0 then
  redis.call('HINCRBY', KEYS[3], 'lost', lost)
end
local waiting = archived and redis.call('XRANGE', KEYS[1], '(' .. archived, '+', 'COUNT', 1)[1]
local since = waiting and tonumber(string.match(waiting[1], '%d+')) or now
return {now, #postings, dropped, math.max(now - since, 0), tonumber(lost_before) + lost}
