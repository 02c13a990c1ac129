#!lua
-- Takes the next postings of the ledger into its base; at the end of the ledger, drops the oldest beyond the
-- most that are kept, all of which the base has taken in.
-- KEYS ledger, its base
-- ARGV 1 postings to take in at most   2 most postings kept
-- The base holds `upto`, `postings` taken in, `trimmed`, and each account that is not at zero: `house`,
-- `seat:<table>|<player>` (bankroll and stakes), `wallet:<player>` (below zero: bought more than cashed out).
-- Returns {now, postings taken in}
local kinds = {'stream', 'hash'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local upto = redis.call('HGET', KEYS[2], 'upto') or '0-0'
if not string.find(upto, '^%d+-%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[2] .. ': upto is no position')
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
  end
  if not cents or not fields.t or not fields.p then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. posting[1] .. ' is no posting')
  end
  move(seat, 0 - cents)
  move(other, cents)
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
local extra = redis.call('XLEN', KEYS[1]) - tonumber(ARGV[2])
if #postings < tonumber(ARGV[1]) and extra > 0 then
  local kept = tonumber(ARGV[2]) + math.max(extra - tonumber(ARGV[1]), 0)
  redis.call('HINCRBY', KEYS[2], 'trimmed', redis.call('XTRIM', KEYS[1], 'MAXLEN', '=', kept))
end
return {now, #postings}
