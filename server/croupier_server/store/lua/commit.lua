#!lua
-- Writes one step of a table: its new state and the event that tells it, or nothing.
-- A new round begins with nothing on the table; an early close counts the ready marks once more, and what a
-- cut is closed with must be all that has been sent. A new cut begins with nothing, whatever its key holds: a
-- shoe whose cut was damaged is abandoned, and the table goes on.
-- KEYS table, events, epoch, rounds, totals, ready, seats, present, cut, shoes, ledger
-- ARGV  1 owner   2 fence   3 seq before the step   4 epoch   5 not_before_ms   6 not_after_ms
--       7 lease_ms   8 most events kept   9 most rounds kept   10 schema   11 table id
--      12 phase   13 round   14 closes_at_ms   15 state
--      16 event without at_ms   17 sealed shoe, or ''   18 its key id   19 round record, or ''
--      20 rules of the sealed shoe
--      21 '1' for an early close, or ''   22 listing (digest of rules and limits)
--      23 how long a player counts as present after being seen
--      24 stage of the cut, `shoe|hashes|until_ms` or `shoe|values|until_ms`, `shoe|` when it has none, or ''
--      25 how much was sent for the cut when the step was made, or ''
--      26 shoe that the event is told of, or 0   27 commitments to its cards, or ''   28 most shoes kept
--      29 '1' when an archive is configured, or '': a finished round then goes into the ledger, for its reader
-- Returns {'ok', now} | {'lost', now} | {'seq', now, stored} | {'epoch', now} | {'early', now} | {'late', now}
--       | {'unready', now}
local kinds = {'hash', 'stream', 'hash', 'stream', 'hash', 'hash', 'hash', 'hash', 'hash', 'stream',
  'stream'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' and (index ~= 9 or ARGV[25] ~= '') then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
  kinds[index] = kind
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'owner', 'fence', 'seq', 'round')
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return {'lost', now}
end
local stored = record[3] or '0'
if #stored > 16 or not string.find(stored, '^%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': seq is no number')
end
local seq = tonumber(stored)
if seq ~= tonumber(ARGV[3]) then
  return {'seq', now, seq}
end
if kinds[2] == 'none' or redis.call('HGET', KEYS[3], 'epoch') ~= ARGV[4] then
  return {'epoch', now}
end
if now < tonumber(ARGV[5]) then
  return {'early', now}
end
if now > tonumber(ARGV[6]) then
  return {'late', now}
end
if ARGV[21] == '1' then
  -- Whole hashes: up to 512 fields each HGET walks through them, and 1,000 of these take the store 7 ms.
  local function whole(key)
    local flat, fields = redis.call('HGETALL', key), {}
    for index = 1, #flat, 2 do
      fields[flat[index]] = flat[index + 1]
    end
    return fields
  end
  local present, seen, ready = false, whole(KEYS[8]), whole(KEYS[6])
  for player, seat in pairs(whole(KEYS[7])) do
    local here = seen[player] and now - tonumber(seen[player]) <= tonumber(ARGV[23])
    if here and string.find(seat, '"state":"taken"', 1, true) then
      if ready[player] ~= ARGV[13] then
        return {'unready', now}
      end
      present = true
    end
  end
  if not present then
    return {'unready', now}
  end
end
if ARGV[25] ~= '' and (redis.call('HGET', KEYS[9], '#') or '0') ~= ARGV[25] then
  return {'unready', now}
end
local shoe, began = tonumber(ARGV[26]), string.find(ARGV[24], '^%d+|hash') or string.find(ARGV[24], '|$')
if began then
  redis.call('DEL', KEYS[9])
end
if ARGV[24] ~= '' then
  redis.call('HSET', KEYS[1], 'cut', ARGV[24])
end
if ARGV[12] == 'betting' and record[4] ~= ARGV[13] then
  redis.call('DEL', KEYS[5], KEYS[6])
end
if ARGV[19] ~= '' then
  local last = redis.call('XREVRANGE', KEYS[4], '+', '-', 'COUNT', 1)[1]
  if last and tonumber(string.match(last[1], '^%d+')) >= tonumber(ARGV[13]) then
    -- The table's record was lost and its rounds count from 1 again; two rounds of one number would mix.
    redis.call('DEL', KEYS[4])
  end
end
seq = seq + 1
redis.call('HSET', KEYS[1], 'schema', ARGV[10], 'seq', seq, 'phase', ARGV[12], 'round', ARGV[13],
  'closes_at_ms', ARGV[14], 'state', ARGV[15], 'listing', ARGV[22], 'lease_until_ms', now + tonumber(ARGV[7]))
if ARGV[17] ~= '' then
  redis.call('HSET', KEYS[1], 'sealed', ARGV[17], 'key_id', ARGV[18], 'rules', ARGV[20])
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[8], '*',
  't', ARGV[11], 'e', ARGV[4], 's', seq, 'm', ARGV[16] .. struct.pack('>I8', now))
if ARGV[19] ~= '' then
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[9], ARGV[13] .. '-1', 'r', ARGV[19])
  if ARGV[29] == '1' then
    redis.call('XADD', KEYS[11], '*', 'k', 'round', 't', ARGV[11], 'p', '', 'r', ARGV[13], 'o', ARGV[19])
  end
end
if shoe > 0 then
  local last = redis.call('XREVRANGE', KEYS[10], '+', '-', 'COUNT', 1)[1]
  local newest = last and tonumber(string.match(last[1], '^%d+')) or 0
  if began and newest >= shoe or newest > shoe then
    -- The table's record was lost and its shoes count from 1 again; two shoes of one number would mix.
    redis.call('DEL', KEYS[10])
  end
  local fields = {'m', ARGV[16] .. struct.pack('>I8', now)}
  if ARGV[27] ~= '' then
    fields[3], fields[4] = 'l', ARGV[27]
  end
  redis.call('XADD', KEYS[10], ARGV[26] .. '-*', unpack(fields))
  if began and shoe > tonumber(ARGV[28]) then
    redis.call('XTRIM', KEYS[10], 'MINID', string.format('%.0f', shoe - tonumber(ARGV[28])))
  end
end
return {'ok', now}
