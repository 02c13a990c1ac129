#!lua
-- Takes a guest's token and adds the one that follows it. A token ends a while after one that followed it was
-- first used: until then the client may not have got that one. Each is `t:<digest>` = follows|issued|ends,
-- with the digest of the token it follows, and 0 while it has no end.
-- KEYS guest
-- ARGV digest of the token, digest of the next, ms from the next one's use to this one's end,
--      most tokens kept, new name ('' for none)
-- Returns {'ok', now, name} | {'bad', now}
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' and redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' is no hash')
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = redis.call('HGETALL', KEYS[1])
local tokens, kept = {}, 0
for index = 1, #fields, 2 do
  local digest = string.match(fields[index], '^t:(%x+)$')
  if digest then
    local follows, issued, ends = string.match(fields[index + 1], '^(%x*)|(%d+)|(%d+)$')
    if not follows then
      return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' has a token that is none')
    end
    tokens[digest] = {follows = follows, issued = tonumber(issued), ends = tonumber(ends)}
    kept = kept + 1
  end
end
local used = tokens[ARGV[1]]
if not used or (used.ends > 0 and used.ends <= now) then
  return {'bad', now}
end
local before = tokens[used.follows]
if before and before.ends == 0 then
  redis.call('HSET', KEYS[1], 't:' .. used.follows,
    string.format('%s|%.0f|%.0f', before.follows, before.issued, now + tonumber(ARGV[3])))
end
for digest, token in pairs(tokens) do
  if token.ends > 0 and token.ends <= now then
    tokens[digest] = nil
    kept = kept - 1
    redis.call('HDEL', KEYS[1], 't:' .. digest)
  end
end
while kept >= tonumber(ARGV[4]) do
  local oldest
  for digest, token in pairs(tokens) do
    if digest ~= ARGV[1] and (not oldest or token.issued < tokens[oldest].issued) then
      oldest = digest
    end
  end
  tokens[oldest] = nil
  kept = kept - 1
  redis.call('HDEL', KEYS[1], 't:' .. oldest)
end
redis.call('HSET', KEYS[1], 'seen_ms', now, 't:' .. ARGV[2], string.format('%s|%.0f|0', ARGV[1], now))
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[1], 'name', ARGV[5])
end
return {'ok', now, redis.call('HGET', KEYS[1], 'name') or ''}
