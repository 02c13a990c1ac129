#!lua flags=no-writes
-- The own places of players. A script, because a store with full memory may refuse even reads in a transaction.
-- KEYS seats, bankrolls, slips, revisions, ready
-- ARGV player, …
-- Returns {now, then for each of KEYS what it holds for each player, in the order of ARGV}
local STEP = 1000 -- so many arguments fit on the stack of a call
local time = redis.call('TIME')
local reply = {time[1] * 1000 + math.floor(time[2] / 1000)}
for _, key in ipairs(KEYS) do
  local found = {}
  for first = 1, #ARGV, STEP do
    local last = math.min(first + STEP - 1, #ARGV)
    for index, value in ipairs(redis.call('HMGET', key, unpack(ARGV, first, last))) do
      found[first + index - 1] = value
    end
  end
  reply[#reply + 1] = found
end
return reply
