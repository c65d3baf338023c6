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
