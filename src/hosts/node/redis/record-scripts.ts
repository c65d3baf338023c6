import { script } from './redis-link.server.ts';

/** The start of each script: `head` has the counters of the sandbox, and numbers beyond 2^46 are written without an exponent. */
const common = `
local head, lock = KEYS[1], KEYS[2]
local function text(number) return string.format('%.0f', number) end

-- Versions rise, also in a store that has lost its data: a process may still know an earlier one.
local function reserve(count)
	local last = redis.call('HINCRBY', head, 'last', text(count))
	if last ~= count then return last end
	local time = redis.call('TIME')
	return redis.call('HINCRBY', head, 'last', text(time[1] * 1000000 + time[2]))
end

local function weightOf(stored) return tonumber(string.match(stored, '^%d+;%d+;(%d+);')) end

local function remove(kind, id, stored)
	redis.call('HDEL', kind.records, id)
	redis.call('ZREM', kind.expiry, id)
	redis.call('ZREM', kind.evictable, id)
	if kind.weight ~= '' then redis.call('HINCRBY', head, kind.weight, -weightOf(stored)) end
end
`;

/**
 * Writes or deletes a record if it still has the expected version, and evicts others for it.
 * Returns `ok` and the new version, `changed` and the stored record, `full`, `locked`, or `dropped`.
 */
export const writeRecord = script(`${common}
local kind = { records = KEYS[3], expiry = KEYS[4], evictable = KEYS[5], weight = ARGV[1] }
local isFirst, id, expected, next, expires, isProtected = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local weight, max, isNew, now = tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10] == '1', ARGV[11]

if redis.call('EXISTS', lock) == 1 then return {'locked'} end
if redis.call('HEXISTS', head, 'dropped') == 1 then
	if isFirst ~= '1' then return {'dropped'} end
	redis.call('HDEL', head, 'dropped')
	redis.call('PERSIST', head)
end
local stored = redis.call('HGET', kind.records, id)
local version, born = '0', nil
if stored then version, born = string.match(stored, '^(%d+);(%d+);') end
if version ~= expected then return {'changed', stored or ''} end
if next == '' then
	if stored then remove(kind, id, stored) end
	return {'ok', '0'}
end

local victims = {}
local function collect(excess)
	local seen = { [id] = true }
	for _, source in ipairs({ 'expiry', 'evictable' }) do
		for offset = 0, 9900, 100 do
			local ids
			if source == 'expiry' then ids = redis.call('ZRANGEBYSCORE', kind.expiry, '-inf', now, 'LIMIT', offset, 100)
			else ids = redis.call('ZRANGE', kind.evictable, offset, offset + 99) end
			for _, one in ipairs(ids) do
				local other = not seen[one] and redis.call('HGET', kind.records, one)
				if other then
					seen[one] = true
					victims[#victims + 1] = { one, other }
					excess = excess - weightOf(other)
					if excess <= 0 then return true end
				end
			end
			if #ids < 100 then break end
		end
	end
	return false
end

local before = stored and weightOf(stored) or 0
local total = kind.weight == '' and redis.call('HLEN', kind.records) or tonumber(redis.call('HGET', head, kind.weight) or '0')
local excess = total - before + weight - max
local growth = isNew and weight or weight - before
if growth > 0 and excess > 0 and not collect(excess) then return {'full'} end
for _, victim in ipairs(victims) do remove(kind, victim[1], victim[2]) end
if isNew and stored then remove(kind, id, stored) end

version = text(reserve(1))
if isNew then born = version end
redis.call('HSET', kind.records, id, version .. ';' .. born .. ';' .. text(weight) .. ';' .. next)
if expires == '' then redis.call('ZREM', kind.expiry, id) else redis.call('ZADD', kind.expiry, expires, id) end
if isProtected == '1' then redis.call('ZREM', kind.evictable, id) else redis.call('ZADD', kind.evictable, born, id) end
if kind.weight ~= '' then
	redis.call('HINCRBY', head, kind.weight, text(isNew and weight or weight - before))
end
return {'ok', version, born}
`);

/** Deletes a record, and returns what was stored: `ok` and the record, or `locked`. */
export const deleteRecord = script(`${common}
local kind = { records = KEYS[3], expiry = KEYS[4], evictable = KEYS[5], weight = ARGV[1] }
if redis.call('EXISTS', lock) == 1 then return {'locked'} end
local stored = redis.call('HGET', kind.records, ARGV[2])
if stored then remove(kind, ARGV[2], stored) end
return {'ok', stored or ''}
`);

/** Returns how many records expire after a bound, then the ids and records of those that expire first. */
export const soonestRecords = script(`
local records, expiry = KEYS[1], KEYS[2]
local found = { redis.call('ZCOUNT', expiry, ARGV[1], '+inf') }
for _, id in ipairs(redis.call('ZRANGEBYSCORE', expiry, ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])) do
	found[#found + 1] = id
	found[#found + 1] = redis.call('HGET', records, id)
end
return found
`);

/** Deletes expired records, at most 1000 of each kind. Returns how many. */
export const purgeRecords = script(`${common}
if redis.call('EXISTS', lock) == 1 then return 0 end
local gone = 0
for at = 0, #KEYS / 3 - 1 do
	local first = at * 3 + 3
	if KEYS[first] == nil then break end
	local kind = { records = KEYS[first], expiry = KEYS[first + 1], evictable = KEYS[first + 2], weight = ARGV[at * 2 + 1] }
	for _, id in ipairs(redis.call('ZRANGEBYSCORE', kind.expiry, '-inf', ARGV[at * 2 + 2], 'LIMIT', 0, 1000)) do
		remove(kind, id, redis.call('HGET', kind.records, id))
		gone = gone + 1
	end
end
return gone
`);

/** Reserves version numbers. Returns the last one, as text. */
export const reserveVersions = script(`${common}
return text(reserve(tonumber(ARGV[1])))
`);

/**
 * Puts staged records in the place of all records of their kinds, in one step.
 * Returns `ok`, `locked`, `dropped`, or `changed` if the lock of this process has expired.
 */
export const commitStaged = script(`${common}
local token, isFirst = ARGV[1], ARGV[2]
local holder = redis.call('GET', lock)
if holder and holder ~= token then return {'locked'} end
if token ~= '' and not holder then return {'changed'} end
local isDropped = redis.call('HEXISTS', head, 'dropped') == 1 and isFirst ~= '1'
if isDropped then
	for at = 3, #KEYS, 6 do redis.call('UNLINK', KEYS[at + 3], KEYS[at + 4], KEYS[at + 5]) end
else
	redis.call('HDEL', head, 'dropped')
	redis.call('PERSIST', head)
	for at = 3, #KEYS, 6 do
		for part = at, at + 2 do
			redis.call('UNLINK', KEYS[part])
			if redis.call('EXISTS', KEYS[part + 3]) == 1 then
				redis.call('RENAME', KEYS[part + 3], KEYS[part])
				redis.call('PERSIST', KEYS[part])
			end
		end
		local kind = (at - 3) / 3
		if ARGV[kind + 3] ~= '' then redis.call('HSET', head, ARGV[kind + 3], ARGV[kind + 4]) end
	end
end
if token ~= '' then redis.call('DEL', lock) end
return { isDropped and 'dropped' or 'ok' }
`);

/** Removes the lock of a process, and no other. */
export const unlock = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`);

/** Deletes all keys of a sandbox, and announces that. For an hour no other process can write to it. */
export const dropSandbox = script(`
for at = 1, #KEYS do redis.call('UNLINK', KEYS[at]) end
redis.call('HSET', KEYS[1], 'dropped', '1')
redis.call('EXPIRE', KEYS[1], 3600)
redis.call('PUBLISH', ARGV[1], 'deleted')
return 1
`);
