-- The start of each script: `head` has the counters of the sandbox, and numbers beyond 2^46 are written without an exponent.
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
