#!lua
-- Reserves a seat and records the buy-in that is to pay for it, or says what stands in the way.
-- KEYS seats, bankrolls, slips, transfers, table
-- ARGV  1 table id   2 player   3 op   4 request   5 cents   6 seat wanted, 0 for the lowest free one
--       7 most seats   8 `"skeleton":"…"` as the seats have it   9 the seat as JSON, after its number
-- Transfers hold `number|kind|op|request|cents|seat|at_ms` for each table and player, and the last `number`.
-- Returns {'ok', now, transfer} (also when it is there already) | {'pending', now, another transfer}
--       | {'seated', now} | {'leaving', now} | {'taken', now} | {'full', now} | {'name', now}
--       | {'ended', now}: the table is closed
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
if seat then
  local state = string.match(seat, '"state":"(%l+)"')
  if state == 'taken' then
    return {'seated', now}
  elseif state == 'leaving' then
    return {'leaving', now}
  end
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has a seat of ' .. player .. ' that nobody buys')
end
if redis.call('HEXISTS', KEYS[2], player) == 1 or redis.call('HEXISTS', KEYS[3], player) == 1 then
  return redis.error_reply('DAMAGED ' .. KEYS[2] .. ' has chips of ' .. player .. ' without a seat')
end
if redis.call('HGET', KEYS[5], 'phase') == 'ended' then
  return {'ended', now}
end
local last = redis.call('HGET', KEYS[4], 'number') or '0'
if #last > 16 or not string.find(last, '^%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[4] .. ': number is no number')
end
local seats = redis.call('HVALS', KEYS[1])
local used, count = {}, #seats
for _, other in ipairs(seats) do
  local number = string.match(other, '^{"seat":(%d+)')
  if not number then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has a seat without a number')
  end
  used[tonumber(number)] = true
end
if string.find(table.concat(seats), ARGV[8], 1, true) then
  return {'name', now}
end
local most, chosen = tonumber(ARGV[7]), tonumber(ARGV[6])
if count >= most then
  return {'full', now}
end
if used[chosen] then
  return {'taken', now}
end
if chosen == 0 then
  repeat
    chosen = chosen + 1
  until not used[chosen]
end
local number = math.max(tonumber(last) + 1, now)
local transfer = string.format('%.0f|buy_in|%s|%s|%s|%.0f|%.0f', number, ARGV[3], ARGV[4], ARGV[5], chosen, now)
redis.call('HSET', KEYS[4], 'number', number, field, transfer)
redis.call('HSET', KEYS[1], player, string.format('{"seat":%.0f', chosen) .. ARGV[9])
return {'ok', now, transfer}
