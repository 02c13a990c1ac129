#!lua
-- Pays a chunk of slips of the round that is being settled or voided: each is removed by the same script
-- that pays it, so that whoever continues finds exactly those that are still to be paid.
-- What a void round returns is taken off the day's stake of players who limit it.
-- KEYS table, bankrolls, slips, results, house, ledger, outbox, limits of the pit
-- ARGV 1 table id   2 owner   3 fence   4 round   5 kind ('settle' or 'void')   6 results kept for a seat
--      7 '1' when an archive is configured, or ''
--      then for each seat: player, its slip as read, cents staked, cents returned, own round
-- Results and outbox hold `bankroll after|own round`, the outbox with `player|` before it; so do, as `o`, the
-- postings for an archive.
-- Returns {'ok', now, cents staked, cents returned, seats paid, in this round so far} | {'lost', now}
local kinds = {'hash', 'hash', 'hash', 'hash', 'string', 'stream', 'list', 'hash'}
for index, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= kinds[index] and kind ~= 'none' then
    return redis.error_reply('DAMAGED ' .. key .. ' is a ' .. kind)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'owner', 'fence', 'round', 'phase')
local phase = ARGV[5] == 'settle' and 'settling' or 'voiding'
if record[1] ~= ARGV[2] or record[2] ~= ARGV[3] or record[3] ~= ARGV[4] or record[4] ~= phase then
  return {'lost', now}
end
for index = 8, #ARGV, 5 do
  local cents = redis.call('HGET', KEYS[2], ARGV[index])
  if not cents or #cents > 16 or not string.find(cents, '^%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[2] .. ' has no bankroll of ' .. ARGV[index])
  end
  if tonumber(cents) + tonumber(ARGV[index + 3]) > 9007199254740991 then
    return redis.error_reply('DAMAGED ' .. KEYS[2] .. ' has no room for what ' .. ARGV[index] .. ' wins')
  end
  local count = redis.call('HGET', KEYS[4], ARGV[index] .. '|n') or '0'
  if #count > 16 or not string.find(count, '^%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[4] .. ' has no count of ' .. ARGV[index])
  end
end
local house = redis.call('GET', KEYS[5]) or '0'
if #house > 18 or not string.find(house, '^-?%d+$') then
  return redis.error_reply('DAMAGED ' .. KEYS[5] .. ' is no number')
end
local round = redis.call('HMGET', KEYS[1], 'settling_round', 'staked', 'returned', 'paid')
if round[1] ~= ARGV[4] then
  round = {ARGV[4], 0, 0, 0}
end
local staked_in_all, returned_in_all, paid_in_all = tonumber(round[2]), tonumber(round[3]), tonumber(round[4])
local today = math.floor(now / 86400000)
for index = 8, #ARGV, 5 do
  local player = ARGV[index]
  if redis.call('HGET', KEYS[3], player) == ARGV[index + 1] then
    local staked, returned = tonumber(ARGV[index + 2]), tonumber(ARGV[index + 3])
    redis.call('HDEL', KEYS[3], player)
    redis.call('HINCRBY', KEYS[2], player, returned)
    redis.call('INCRBY', KEYS[5], staked - returned)
    local own = phase == 'voiding' and redis.call('HGET', KEYS[8], player)
    local limits, used = string.match(own or '', '^(%d+|%d+|%d*|' .. string.format('%.0f', today) .. '|%d*|)(%d+)$')
    if limits then
      redis.call('HSET', KEYS[8], player, limits .. string.format('%.0f', math.max(tonumber(used) - staked, 0)))
    end
    local told = redis.call('HGET', KEYS[2], player) .. '|' .. ARGV[index + 4]
    if ARGV[7] == '1' then
      redis.call('XADD', KEYS[6], '*', 'k', ARGV[5], 't', ARGV[1], 'p', player, 'r', ARGV[4],
        's', staked, 'w', returned, 'h', staked - returned, 'o', told)
    else
      redis.call('XADD', KEYS[6], '*', 'k', ARGV[5], 't', ARGV[1], 'p', player, 'r', ARGV[4],
        's', staked, 'w', returned, 'h', staked - returned)
    end
    local count = redis.call('HINCRBY', KEYS[4], player .. '|n', 1)
    redis.call('HSET', KEYS[4], player .. '|' .. count % tonumber(ARGV[6]), told)
    redis.call('RPUSH', KEYS[7], player .. '|' .. told)
    staked_in_all = staked_in_all + staked
    returned_in_all = returned_in_all + returned
    if returned > 0 then
      paid_in_all = paid_in_all + 1
    end
  end
end
redis.call('HSET', KEYS[1], 'settling_round', ARGV[4], 'staked', staked_in_all, 'returned', returned_in_all,
  'paid', paid_in_all)
return {'ok', now, staked_in_all, returned_in_all, paid_in_all}
