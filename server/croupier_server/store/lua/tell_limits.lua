#!lua
-- Tells a pit a player's own limits, by which the place script judges, unless it knows newer ones.
-- With newer limits no stake beyond the day's so far is allowed before it is granted anew.
-- KEYS limits of the pit
-- ARGV  1 player   2 rev of the limits   3 excluded until, in ms, 0 for not   4 most cents in a round, or ''
--       5 most cents in a day, or ''   6 cents of the day's stake that are allowed here, or ''
--       7 day that those are for, or ''
-- The pit holds `rev|excluded_until_ms|round|day|allowed|staked` for each player; `allowed` is '' without a
-- limit of the day's stake.
-- Returns {'ok', now, rev, day, allowed, staked}: what the pit goes by from now on; rev 0 for no limits
local DAY_MS = 86400000
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' is a ' .. kind)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local today, player, rev = math.floor(now / DAY_MS), ARGV[1], tonumber(ARGV[2])
local held = redis.call('HGET', KEYS[1], player)
local known, ends, round, day, allowed, staked = 0, '0', '', today, '', 0
if held then
  local texts = {string.match(held, '^(%d+)|(%d+)|(%d*)|(%d+)|(%d*)|(%d+)$')}
  if #texts == 0 then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has no limits of ' .. player)
  end
  known, ends, round, day = tonumber(texts[1]), texts[2], texts[3], tonumber(texts[4])
  allowed, staked = texts[5], tonumber(texts[6])
  if day ~= today then
    day, staked = today, 0
    allowed = allowed ~= '' and '0' or ''
  end
end
if rev > known then
  known, ends, round = rev, ARGV[3], ARGV[4]
  allowed = ARGV[5] ~= '' and string.format('%.0f', math.min(staked, tonumber(ARGV[5]))) or ''
end
if rev == known and allowed ~= '' and ARGV[6] ~= '' and tonumber(ARGV[7]) == today then
  allowed = string.format('%.0f', math.max(tonumber(allowed), tonumber(ARGV[6])))
end
if tonumber(ends) <= now and round == '' and allowed == '' then
  if held then
    redis.call('HDEL', KEYS[1], player)
  end
  return {'ok', now, 0, today, 0, 0}
end
redis.call('HSET', KEYS[1], player,
  string.format('%.0f|%s|%s|%.0f|%s|%.0f', known, ends, round, day, allowed, staked))
return {'ok', now, known, day, tonumber(allowed ~= '' and allowed or '0'), staked}
