import { partsPerKind } from './redis-keys.ts';
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

-- A kind by its keys, from the one at a number on, the field of its weight, whether its records have owners, and whether they are stable.
local function kindAt(at, weight, hasOwners, isStable)
	return {
		records = KEYS[at], expiry = KEYS[at + 1], evictable = KEYS[at + 2],
		held = KEYS[at + 3], queue = KEYS[at + 4], holdings = KEYS[at + 5],
		weight = weight, hasOwners = hasOwners == '1', isStable = isStable == '1'
	}
end

local function member(name, born, id) return name .. ';' .. string.format('%020.0f', born) .. ';' .. id end

-- A record is held under u or p (protected) and its owner. A group is named g and its name.
local function changeHolding(kind, holding, by)
	local owner = string.sub(holding, 2)
	if tonumber(redis.call('ZINCRBY', kind.holdings, by, owner)) == 0 then redis.call('ZREM', kind.holdings, owner) end
end

local function hold(kind, id, born, weight, holding, group)
	if holding == '' then return end
	redis.call('HSET', kind.held, id, holding .. ';' .. text(weight) .. ';' .. group)
	redis.call('ZADD', kind.queue, 0, member(holding, born, id))
	if group ~= '' then redis.call('ZADD', kind.queue, 0, member(group, born, id)) end
	changeHolding(kind, holding, weight)
end

-- The ids of a holding or group, oldest first.
local function idsOf(kind, name, count)
	local ids = redis.call('ZRANGEBYLEX', kind.queue, '[' .. name .. ';', '(' .. name .. '<', 'LIMIT', 0, count)
	for at, one in ipairs(ids) do ids[at] = string.sub(one, #name + 23) end
	return ids
end

local function release(kind, id, born)
	local held = redis.call('HGET', kind.held, id)
	if not held then return end
	local holding, weight, group = string.match(held, '^([^;]*);(%d+);([^;]*)$')
	redis.call('HDEL', kind.held, id)
	redis.call('ZREM', kind.queue, member(holding, born, id))
	if group ~= '' then redis.call('ZREM', kind.queue, member(group, born, id)) end
	changeHolding(kind, holding, -tonumber(weight))
end

-- Processes keep stable records until this changes.
local function changeGeneration() redis.call('HSET', head, 'generation', text(reserve(1))) end

local function remove(kind, id, stored)
	if kind.isStable then changeGeneration() end
	redis.call('HDEL', kind.records, id)
	redis.call('ZREM', kind.expiry, id)
	redis.call('ZREM', kind.evictable, id)
	if kind.hasOwners then release(kind, id, string.match(stored, '^%d+;(%d+);')) end
	if kind.weight ~= '' then redis.call('HINCRBY', head, kind.weight, -weightOf(stored)) end
end
`;

/**
 * Writes or deletes a record if it still has the expected version, and evicts others for it.
 * Returns `ok` and the new version, `changed` and the stored record, `full`, `locked`, or `dropped`.
 */
export const writeRecord = script(`${common}
local kind = kindAt(3, ARGV[1], ARGV[2], ARGV[3])
local isFirst, id, expected, next, expires, isProtected = ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local weight, holding, group = tonumber(ARGV[10]), ARGV[11], ARGV[12]
local max, maxPerGroup, isNew, now = tonumber(ARGV[13]), tonumber(ARGV[14]), ARGV[15] == '1', ARGV[16]

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
if stored and (isNew or next == '') then
	remove(kind, id, stored)
	stored = false
end
if next == '' then return {'ok', '0'} end

-- An earlier version may have deleted the record, and left it in the queue.
local function evict(name, other)
	local record = redis.call('HGET', kind.records, other)
	if record then remove(kind, other, record) end
	for _, one in ipairs(redis.call('ZRANGEBYLEX', kind.queue, '[' .. name .. ';', '(' .. name .. '<', 'LIMIT', 0, 2)) do
		if not record and string.sub(one, #name + 23) == other then
			release(kind, other, string.sub(one, #name + 2, #name + 21))
			redis.call('ZREM', kind.queue, one)
		end
	end
end

if group ~= '' and not stored then
	local count = redis.call('ZLEXCOUNT', kind.queue, '[' .. group .. ';', '(' .. group .. '<')
	if count >= maxPerGroup then
		for _, other in ipairs(idsOf(kind, group, count - maxPerGroup + 1)) do evict(group, other) end
	end
end

local function total()
	if kind.weight == '' then return redis.call('HLEN', kind.records) end
	return tonumber(redis.call('HGET', head, kind.weight) or '0')
end
local before = stored and weightOf(stored) or 0
local function excess() return total() - before + weight - max end

-- Expired records, and those without an owner. Returns what is still in excess.
local victims = {}
local function collect(missing)
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
					missing = missing - weightOf(other)
					if missing <= 0 then return 0 end
				end
			end
			if #ids < 100 then break end
		end
	end
	return missing
end

-- The oldest record of the owner that holds the most, or of the owner of this one if it holds as much. Protected ones come last.
local function findVictim()
	local largest = redis.call('ZREVRANGE', kind.holdings, 0, 0, 'WITHSCORES')
	local most = tonumber(largest[2] or '0')
	local owner = string.sub(holding, 2)
	local own = tonumber(holding ~= '' and redis.call('ZSCORE', kind.holdings, owner) or '-1')
	if own >= most then largest[1] = owner end
	if own >= most or most > 1 then
		for _, tier in ipairs({ 'u', 'p' }) do
			local name = tier .. (largest[1] or '')
			for _, other in ipairs(idsOf(kind, name, 2)) do
				if other ~= id then return name, other end
			end
		end
	end
	for _, one in ipairs(redis.call('ZRANGEBYLEX', kind.queue, '[u', '(v', 'LIMIT', 0, 2)) do
		local name = string.match(one, '^([^;]*);')
		local other = string.sub(one, #name + 23)
		if other ~= id then return name, other end
	end
end

if weight > before and excess() > 0 then
	if weight > max then return {'full'} end
	if collect(excess()) > 0 and not kind.hasOwners then return {'full'} end
	for _, victim in ipairs(victims) do remove(kind, victim[1], victim[2]) end
	while excess() > 0 do
		local name, other = findVictim()
		if not name then return {'full'} end
		evict(name, other)
	end
end

version = text(reserve(1))
if not stored then born = version end
redis.call('HSET', kind.records, id, version .. ';' .. born .. ';' .. text(weight) .. ';' .. next)
if expires == '' then redis.call('ZREM', kind.expiry, id) else redis.call('ZADD', kind.expiry, expires, id) end
if isProtected == '1' or kind.hasOwners then redis.call('ZREM', kind.evictable, id)
else redis.call('ZADD', kind.evictable, born, id) end
if kind.hasOwners and redis.call('HGET', kind.held, id) ~= holding .. ';' .. text(weight) .. ';' .. group then
	release(kind, id, born)
	hold(kind, id, born, weight, holding, group)
end
if kind.weight ~= '' then redis.call('HINCRBY', head, kind.weight, text(weight - before)) end
if kind.isStable then redis.call('HSET', head, 'generation', version) end
return {'ok', version, born}
`);

/** Deletes a record, and returns what was stored: `ok` and the record, or `locked`. */
export const deleteRecord = script(`${common}
local kind = kindAt(3, ARGV[1], ARGV[2], ARGV[3])
if redis.call('EXISTS', lock) == 1 then return {'locked'} end
local stored = redis.call('HGET', kind.records, ARGV[4])
if stored then remove(kind, ARGV[4], stored) end
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
for first = 3, #KEYS, ${partsPerKind} do
	local at = (first - 3) / ${partsPerKind} * 4
	local kind = kindAt(first, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
	for _, id in ipairs(redis.call('ZRANGEBYSCORE', kind.expiry, '-inf', ARGV[at + 4], 'LIMIT', 0, 1000)) do
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
local token, isFirst, parts = ARGV[1], ARGV[2], ${partsPerKind}
local holder = redis.call('GET', lock)
if holder and holder ~= token then return {'locked'} end
if token ~= '' and not holder then return {'changed'} end
local isDropped = redis.call('HEXISTS', head, 'dropped') == 1 and isFirst ~= '1'
if isDropped then
	for at = 3, #KEYS, 2 * parts do
		for part = at + parts, at + 2 * parts - 1 do redis.call('UNLINK', KEYS[part]) end
	end
else
	redis.call('HDEL', head, 'dropped')
	redis.call('PERSIST', head)
	for at = 3, #KEYS, 2 * parts do
		for part = at, at + parts - 1 do
			redis.call('UNLINK', KEYS[part])
			if redis.call('EXISTS', KEYS[part + parts]) == 1 then
				redis.call('RENAME', KEYS[part + parts], KEYS[part])
				redis.call('PERSIST', KEYS[part])
			end
		end
		local kind = (at - 3) / parts
		if ARGV[kind + 3] ~= '' then redis.call('HSET', head, ARGV[kind + 3], ARGV[kind + 4]) end
	end
	changeGeneration()
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
