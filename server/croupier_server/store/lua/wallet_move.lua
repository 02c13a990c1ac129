#!lua
-- Moves money into or out of a wallet, once for each operation.
-- A transfer to or from a table is known by its number, which the pit gave it: numbers rise, and a table has
-- one transfer with a player at a time, so the last number and its verdict tell for good what has been done.
-- Any other operation is known by its op among the recent ones.
-- KEYS wallet, its recent operations, and where players may limit themselves their own limits
-- ARGV  1 op   2 request: what was asked for   3 'debit' or 'credit'   4 counter that goes along
--       5 cents   6 pit and table of a transfer, or ''   7 its number, else 0   8 its seat, else 0
--       9 reason   10 most operations kept
-- Returns {'ok', now, balance} | {'short', now, balance}: the first verdict, as often as it is asked for
--       | {'excluded', now, balance} | {'time', now, balance}: the same for what the player's own limits keep from
--         a table
--       | {'again', now, balance}: not done, as the op was done under another number; stays so
--       | {'stale', now, balance}: a later transfer has been through, this one was ended before it
--       | {'full', now, balance}: not now, there is no room for so much
--       | {'known', now, balance, entry}: an operation that is no transfer, done before
local kinds = {'hash', 'list', 'hash'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
  kinds[index] = kind
end
if kinds[1] == 'none' then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has vanished')
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local names = {'balance', 'issued', 'retired', 'to_tables', 'from_tables'}
local stored = redis.call('HMGET', KEYS[1], unpack(names))
local counters = {}
for index, name in ipairs(names) do
  local text = stored[index] or ''
  if #text > 19 or not string.find(text, '^%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. name .. ' is no number')
  end
  counters[name] = text
end
local balance = tonumber(counters.balance)
if balance > 9007199254740991 then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': balance is too large')
end
local op, amount, slot, number = ARGV[1], tonumber(ARGV[5]), 'slot:' .. ARGV[6], tonumber(ARGV[7])
if ARGV[6] ~= '' then
  local last, verdict = string.match(redis.call('HGET', KEYS[1], slot) or '0|', '^(%d+)|(%l*)$')
  if not last then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. slot .. ' is no verdict')
  end
  if number == tonumber(last) then
    return {verdict, now, balance}
  elseif number < tonumber(last) then
    return {'stale', now, balance}
  end
end
local known
for _, entry in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
  if string.sub(entry, 1, #op + 1) == op .. '|' then
    known = entry
    break
  end
end
if known and ARGV[6] == '' then
  return {'known', now, balance, known}
end
local verdict = 'ok'
if ARGV[3] == 'debit' then
  if known then
    redis.call('HSET', KEYS[1], slot, string.format('%.0f|again', number))
    return {'again', now, balance}
  end
  if amount > balance then
    verdict = 'short'
  elseif KEYS[3] and ARGV[6] ~= '' then
    local own = redis.call('HMGET', KEYS[3], 'excluded_until_ms', 'day_minutes', 'day', 'day_ms')
    local today = string.format('%.0f', math.floor(now / 86400000))
    if own[1] and now < tonumber(own[1]) then
      verdict = 'excluded'
    elseif own[2] and own[3] == today and tonumber(own[4]) >= tonumber(own[2]) * 60000 then
      verdict = 'time'
    end
  end
elseif balance + amount > 9007199254740991 then
  return {'full', now, balance}
end
if verdict == 'ok' then
  if #counters[ARGV[4]] > 18 then
    -- A round trip of the largest wallet, a hundred times over: the counters end here, before they overflow.
    return {'full', now, balance}
  end
  balance = ARGV[3] == 'debit' and balance - amount or balance + amount
  redis.call('HINCRBY', KEYS[1], ARGV[4], amount)
  redis.call('HSET', KEYS[1], 'balance', balance)
end
if ARGV[6] ~= '' then
  redis.call('HSET', KEYS[1], slot, string.format('%.0f|%s', number, verdict))
end
redis.call('LPUSH', KEYS[2], string.format('%s|%s|%s|%.0f|%.0f|%s|%.0f|%.0f|%s',
  op, ARGV[2], verdict, amount, balance, ARGV[8], number, now, ARGV[9]))
redis.call('LTRIM', KEYS[2], 0, tonumber(ARGV[10]) - 1)
return {verdict, now, balance}
