#!lua flags=no-writes
-- Reads a table's record together with the position of the pit's stream.
-- KEYS table, events, epoch
-- Returns {now, epoch, last stream id, seq, state, owner, fence, lease_until_ms, sealed, key_id}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)
local record = redis.call('HMGET', KEYS[1], 'seq', 'state', 'owner', 'fence', 'lease_until_ms', 'sealed', 'key_id')
return {now, redis.call('HGET', KEYS[3], 'epoch') or '', last[1] and last[1][1] or '0-0',
  tonumber(record[1] or '0'), record[2] or '', record[3] or '', tonumber(record[4] or '0'),
  tonumber(record[5] or '0'), record[6] or '', record[7] or ''}
