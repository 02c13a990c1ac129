#!lua
-- Keeps a settled round among a player's own, once.
-- KEYS rounds of the player, and where they are counted for reality checks its own limits
-- ARGV name of the round (`table|round`), bankroll after and own round, most rounds kept, cents staked, cents
--      returned
-- Returns {now, 1 or 0: whether it is new}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, entry in ipairs(redis.call('XREVRANGE', KEYS[1], '+', '-')) do
  if entry[2][2] == ARGV[1] then
    return {now, 0}
  end
end
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[3], '*', 'n', ARGV[1], 'o', ARGV[2])
if KEYS[2] and redis.call('HEXISTS', KEYS[2], 'seen_ms') == 1 then
  redis.call('HINCRBY', KEYS[2], 'staked', ARGV[4])
  redis.call('HINCRBY', KEYS[2], 'net', ARGV[5] - ARGV[4])
end
return {now, 1}
