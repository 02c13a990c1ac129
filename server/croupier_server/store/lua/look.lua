#!lua flags=no-writes
-- What a dealer has to know of the players at its table.
-- KEYS seats, slips, totals, ready, present
-- ARGV round, how long a player counts as present after being seen
-- Returns {now, seats {player, JSON, …}, totals {bet, cents, …}, bettors, ready, present, ready of the present}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seats = redis.call('HGETALL', KEYS[1])
local present, ready_present = 0, 0
for index = 1, #seats, 2 do
  if string.find(seats[index + 1], '"state":"taken"', 1, true) then
    local seen = redis.call('HGET', KEYS[5], seats[index])
    if seen and now - tonumber(seen) <= tonumber(ARGV[2]) then
      present = present + 1
      if redis.call('HGET', KEYS[4], seats[index]) == ARGV[1] then
        ready_present = ready_present + 1
      end
    end
  end
end
return {now, seats, redis.call('HGETALL', KEYS[3]), redis.call('HLEN', KEYS[2]),
  redis.call('HLEN', KEYS[4]), present, ready_present}
