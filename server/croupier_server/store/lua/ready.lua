#!lua
-- Marks a seat as ready for the running round: with a slip it stands, without one the round is passed.
-- KEYS table, seats, ready, notes
-- ARGV table id, player, round, most notes kept
-- Returns {'ok', now} | {'seat', now} | {'leaving', now} | {'alarm', now} | {'phase', now, phase}
--       | {'round', now, round}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seat = redis.call('HGET', KEYS[2], ARGV[2])
if not seat or not string.find(seat, '"state":"taken"', 1, true) then
  return {seat and string.find(seat, '"state":"leaving"', 1, true) and 'leaving' or 'seat', now}
end
local record = redis.call('HMGET', KEYS[1], 'phase', 'round', 'closes_at_ms', 'alarm')
if record[4] then
  return {'alarm', now}
end
if redis.call('HGET', KEYS[3], ARGV[2]) == ARGV[3] and record[2] == ARGV[3] then
  return {'ok', now}
end
if record[1] ~= 'betting' or now >= tonumber(record[3]) then
  return {'phase', now, record[1] or ''}
end
if record[2] ~= ARGV[3] then
  return {'round', now, tonumber(record[2])}
end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[4], '*', 't', ARGV[1], 'k', 'ready', 'p', ARGV[2])
return {'ok', now}
