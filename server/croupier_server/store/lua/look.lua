#!lua flags=no-writes
-- What is on a table, and whether all who are there want the cards.
-- KEYS seats, slips, totals, ready, present
-- ARGV round, how long a player counts as present after being seen
-- Returns {now, totals {bet, cents, …}, bettors, ready, present, 1 if all the present are ready}
-- The present are counted only as long as all of them are ready.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local present, all_ready = 0, redis.call('HLEN', KEYS[4]) > 0
if all_ready then
  -- Whole hashes: up to 512 fields each HGET walks through them, and 1,000 of these take the store 7 ms.
  local function whole(key)
    local flat, fields = redis.call('HGETALL', key), {}
    for index = 1, #flat, 2 do
      fields[flat[index]] = flat[index + 1]
    end
    return fields
  end
  local seen, marks = whole(KEYS[5]), whole(KEYS[4])
  for player, seat in pairs(whole(KEYS[1])) do
    local here = seen[player] and now - tonumber(seen[player]) <= tonumber(ARGV[2])
    if here and string.find(seat, '"state":"taken"', 1, true) then
      present = present + 1
      if marks[player] ~= ARGV[1] then
        all_ready = false
        break
      end
    end
  end
end
return {now, redis.call('HGETALL', KEYS[3]), redis.call('HLEN', KEYS[2]), redis.call('HLEN', KEYS[4]), present,
  all_ready and present > 0 and 1 or 0}
