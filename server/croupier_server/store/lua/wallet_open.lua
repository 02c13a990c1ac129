#!lua
-- Makes a player's wallet with the start amount if it is to be made, refills it if that is due, and looks
-- for what was answered to `op`.
-- KEYS wallet, its recent operations
-- ARGV  1 '1' when the wallet is known to have been made, or ''   2 cents to start with
--       3 cents to refill to   4 milliseconds from one refill to the next, 0 for none   5 op, or ''
--       6 most operations kept   7 pit and table, or ''
-- Returns {'ok', now, balance, entry of `op` or '', number of the last transfer with that table}
local kinds = {'hash', 'list'}
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
  if ARGV[1] == '1' then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has vanished')
  end
  local start = tonumber(ARGV[2])
  redis.call('HSET', KEYS[1], 'balance', start, 'issued', start, 'retired', 0, 'to_tables', 0,
    'from_tables', 0, 'created_at_ms', now, 'refilled_at_ms', now)
  redis.call('LPUSH', KEYS[2], string.format('start|start|ok|%.0f|%.0f|0|0|%.0f|', start, start, now))
end
local names = {'balance', 'issued', 'retired', 'to_tables', 'from_tables', 'created_at_ms', 'refilled_at_ms'}
local stored = redis.call('HMGET', KEYS[1], unpack(names))
for index, name in ipairs(names) do
  local text = stored[index] or ''
  if #text > 19 or not string.find(text, '^%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. name .. ' is no number')
  end
end
local balance, refilled_at = tonumber(stored[1]), tonumber(stored[7])
if balance > 9007199254740991 then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': balance is too large')
end
local refill_to, every = tonumber(ARGV[3]), tonumber(ARGV[4])
if refilled_at > now then
  -- The store's clock was ahead; else the next refill would wait until it is there again.
  redis.call('HSET', KEYS[1], 'refilled_at_ms', now)
elseif every > 0 and balance < refill_to and now - refilled_at >= every and #stored[2] <= 18 then
  local amount = refill_to - balance
  redis.call('HINCRBY', KEYS[1], 'issued', amount)
  redis.call('HSET', KEYS[1], 'balance', refill_to, 'refilled_at_ms', now)
  redis.call('LPUSH', KEYS[2],
    string.format('refill|refill|ok|%.0f|%.0f|0|0|%.0f|', amount, refill_to, now))
  redis.call('LTRIM', KEYS[2], 0, tonumber(ARGV[6]) - 1)
  balance = refill_to
end
local found = ''
if ARGV[5] ~= '' then
  for _, entry in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
    if string.sub(entry, 1, #ARGV[5] + 1) == ARGV[5] .. '|' then
      found = entry
      break
    end
  end
end
local last = string.match(redis.call('HGET', KEYS[1], 'slot:' .. ARGV[7]) or '0|', '^(%d+)|%l*$')
if not last then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': slot:' .. ARGV[7] .. ' is no verdict')
end
return {'ok', now, balance, found, last}
