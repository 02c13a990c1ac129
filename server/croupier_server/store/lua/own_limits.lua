#!lua
-- A player's own limits, their exclusion and the time at the tables: asks for them, or changes them by one step.
-- Whatever is asked for, limits that have waited long enough come into force first.
-- KEYS record
-- ARGV  1 step, then what it takes:
--       'look'
--       'set'      2 op   3 request   4 'player' or 'operator'   5 how long a looser limit waits, in ms
--                  6 minutes to a reality check where the player has not chosen   7… for each of NAMES the
--                  value wanted: '' to leave it, '0' for none
--       'exclude'  2 op   3 request   4 'player' or 'operator'   5 for how many ms from now; 0 (operator) for none
--       'tick'     2 longest time between two ticks that counts as played, in ms   3 how long a break begins a
--                  new sitting   4 as 6 of 'set'   5 for how long a record without limits is kept
--       'go_on'
--       'grant'    2 pit   3 rev of the limits there   4 day there   5 stake allowed there so far, in cents
--                  6 stake wanted to be allowed there
-- Fields: `rev`, NAMES and `excluded_until_ms` as in force; `next:<name>` `value|from_ms` as waiting; `ops` the
-- last changes, newest first, `op|request` each; `day` and `day_ms` played on it; `seen_ms`, and since the last
-- reality check `played_ms`, `staked` and `net`; `check_ms`: one is due since; `pit:<pit>` `day|rev|cents`:
-- how much of the day's stake may be used up there.
-- Returns {'ok', now, fields and values} | {'reused', now}: the op did something else
--       | for 'grant' {'ok' | 'short', now, cents allowed there now} | {'stale', now}: tell the pit anew
local DAY_MS, OPS_KEPT = 86400000, 8
local NAMES = {'round_stake', 'day_stake', 'day_minutes', 'reality_minutes'}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then
  return redis.error_reply('DAMAGED ' .. KEYS[1] .. ' is a ' .. kind)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local flat, held = redis.call('HGETALL', KEYS[1]), {}
for index = 1, #flat, 2 do
  held[flat[index]] = flat[index + 1]
end
local NUMBERS = {'rev', 'excluded_until_ms', 'day', 'day_ms', 'seen_ms', 'played_ms', 'staked', 'check_ms', unpack(NAMES)}
for _, name in ipairs(NUMBERS) do
  if held[name] and (#held[name] > 18 or not string.find(held[name], '^%d+$')) then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. name .. ' is no number')
  end
end
for _, name in ipairs(NAMES) do
  if held['next:' .. name] and not string.find(held['next:' .. name], '^%d+|%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': next:' .. name .. ' is no limit')
  end
end
for field, value in pairs(held) do
  if string.sub(field, 1, 4) == 'pit:' and not string.find(value, '^%d+|%d+|%d+$') then
    return redis.error_reply('DAMAGED ' .. KEYS[1] .. ': ' .. field .. ' is no share')
  end
end

local function number(name)
  return tonumber(held[name] or '0')
end
local function put(name, value)
  if type(value) == 'number' then
    value = string.format('%.0f', value)
  end
  held[name] = value
  redis.call('HSET', KEYS[1], name, value)
end
local function drop(name)
  if held[name] then
    held[name] = nil
    redis.call('HDEL', KEYS[1], name)
  end
end
local function come_into_force(name, value)
  if value == '0' then
    drop(name)
  else
    put(name, value)
  end
end
local function changed()
  put('rev', number('rev') + 1)
end

local before = number('rev')
for _, name in ipairs(NAMES) do
  local value, from = string.match(held['next:' .. name] or '', '^(%d+)|(%d+)$')
  if value and now >= tonumber(from) then
    drop('next:' .. name)
    come_into_force(name, value)
    if number('rev') == before then
      changed()
    end
  end
end
local today = math.floor(now / DAY_MS)
local step = ARGV[1]

if step == 'set' or step == 'exclude' then
  local op, request = ARGV[2], ARGV[3]
  for line in string.gmatch(held.ops or '', '[^\n]+') do
    local known, asked = string.match(line, '^([^|]*)|(.*)$')
    if known == op then
      if asked ~= request then
        return {'reused', now}
      end
      step = 'look'
    end
  end
end
if step == 'set' or step == 'exclude' then
  local lines = {ARGV[2] .. '|' .. ARGV[3]}
  for line in string.gmatch(held.ops or '', '[^\n]+') do
    if #lines < OPS_KEPT then
      lines[#lines + 1] = line
    end
  end
  local operator = ARGV[4] == 'operator'
  if step == 'exclude' then
    local ends = tonumber(ARGV[5])
    ends = ends > 0 and now + ends or 0
    put('excluded_until_ms', operator and ends or math.max(ends, number('excluded_until_ms')))
  else
    local function looseness(name, value)
      if value == '0' and name == 'reality_minutes' then
        value = ARGV[6]
      end
      return value == '0' and math.huge or tonumber(value)
    end
    for index, name in ipairs(NAMES) do
      local wanted = ARGV[6 + index]
      if wanted ~= '' then
        if operator or looseness(name, wanted) <= looseness(name, held[name] or '0') then
          drop('next:' .. name)
          come_into_force(name, wanted)
        elseif string.match(held['next:' .. name] or '', '^(%d+)') ~= wanted then
          put('next:' .. name, string.format('%s|%.0f', wanted, now + tonumber(ARGV[5])))
        end
      end
    end
  end
  put('ops', table.concat(lines, '\n'))
  changed()
  redis.call('PERSIST', KEYS[1])
elseif step == 'tick' then
  if number('day') ~= today then
    put('day', today)
    put('day_ms', 0)
  end
  local since = held.seen_ms and now - number('seen_ms')
  if since and since >= 0 and since <= tonumber(ARGV[2]) then
    put('day_ms', number('day_ms') + since)
    put('played_ms', number('played_ms') + since)
  elseif not since or since < 0 or since > tonumber(ARGV[3]) then
    for name, value in pairs({played_ms = 0, staked = 0, net = 0}) do
      put(name, value)
    end
    drop('check_ms')
  end
  put('seen_ms', now)
  local minutes = held.reality_minutes and number('reality_minutes') or tonumber(ARGV[4])
  if minutes > 0 and not held.check_ms and number('played_ms') >= minutes * 60000 then
    put('check_ms', now)
  end
  if number('rev') == 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[5])
  end
elseif step == 'go_on' and held.check_ms then
  for name, value in pairs({played_ms = 0, staked = 0, net = 0}) do
    put(name, value)
  end
  drop('check_ms')
elseif step == 'grant' then
  local field, rev, day, wanted = 'pit:' .. ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[6])
  if rev ~= number('rev') or day ~= today or not held.day_stake then
    return {'stale', now}
  end
  local others, mine, shared_at = 0, 0, -1
  for name, value in pairs(held) do
    local on, at, cents = string.match(value, '^(%d+)|(%d+)|(%d+)$')
    if string.sub(name, 1, 4) == 'pit:' then
      if tonumber(on) ~= today then
        drop(name)
      elseif name == field then
        mine, shared_at = tonumber(cents), tonumber(at)
      else
        others = others + tonumber(cents)
      end
    end
  end
  if shared_at ~= rev then
    -- Nothing has been allowed there under these limits yet: what the pit says is all there can be.
    mine = tonumber(ARGV[5])
  end
  local word = 'ok'
  if wanted > mine then
    if others + wanted <= number('day_stake') then
      mine = wanted
    else
      word = 'short'
    end
  end
  put(field, string.format('%.0f|%.0f|%.0f', day, rev, mine))
  return {word, now, mine}
end
local reply = {}
for name, value in pairs(held) do
  reply[#reply + 1] = name
  reply[#reply + 1] = value
end
return {'ok', now, reply}
