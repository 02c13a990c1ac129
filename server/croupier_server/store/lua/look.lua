#!lua flags=no-writes
-- What is on a table, and whether all who are there want the cards.
-- KEYS seats, slips, totals, ready, present
-- ARGV round, how long a player counts as present after being seen
-- Returns {now, totals {bet, cents, …}, bettors, ready, present, 1 if all the present are ready}
-- The present are counted only as long as all of them are ready.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ready = redis.call('HLEN', KEYS[4])
local present, all_ready, cursor = 0, ready > 0, '0'
while all_ready do
  local found = redis.call('HSCAN', KEYS[1], cursor, 'COUNT', 100)
  local seats = found[2]
  for index = 1, #seats, 2 do
    if string.find(seats[index + 1], '"state":"taken"', 1, true) then
      local seen = redis.call('HGET', KEYS[5], seats[index])
      if seen and now - tonumber(seen) <= tonumber(ARGV[2]) then
        present = present + 1
        if redis.call('HGET', KEYS[4], seats[index]) ~= ARGV[1] then
          all_ready = false
          break
        end
      end
    end
  end
  cursor = found[1]
  if cursor == '0' then
    break
  end
end
return {now, redis.call('HGETALL', KEYS[3]), redis.call('HLEN', KEYS[2]), ready, present,
  all_ready and present > 0 and 1 or 0}
