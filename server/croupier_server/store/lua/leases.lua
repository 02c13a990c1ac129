#!lua flags=no-writes
-- Who deals some tables. A key that is no record counts as nobody's: whoever takes it finds out.
-- KEYS table, …
-- Returns {now, then owner, lease_until_ms, schema of each table in the order of KEYS}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {now}
for _, key in ipairs(KEYS) do
  local record = redis.call('TYPE', key).ok == 'hash'
    and redis.call('HMGET', key, 'owner', 'lease_until_ms', 'schema') or {}
  answer[#answer + 1] = record[1] or ''
  for index = 2, 3 do
    local text = record[index] or '0'
    answer[#answer + 1] = #text <= 16 and string.find(text, '^%d+$') and tonumber(text) or 0
  end
end
return answer
