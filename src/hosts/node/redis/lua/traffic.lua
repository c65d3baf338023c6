-- The start of each script. `settle` labels the values of new entries, in the order of the entries, and deletes the oldest entries beyond
-- the limits. That is done for many entries together: before a read, and after every 64 entries.
local head, entries, facts, ids, assigned, labels, labeled = unpack(KEYS)
local maxEntries, maxSize, maxLabels, several = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

-- The facts of an entry: its number, X-Request-Id, size and flow, then its values with their kinds.
local factsPattern = '^(%d+);([^;]*);(%d+);([^;]*);(.*)$'

local function labelNew()
	local first, last = unpack(redis.call('HMGET', head, 'traffic:settled', 'traffic'))
	local count = tonumber(last or '0') - tonumber(first or '0')
	if count <= 0 then return end
	local known, changed = {}, {}
	for _, one in ipairs(redis.call('LRANGE', facts, -count, -1)) do
		local number, _, _, ownFlow, values = string.match(one, factsPattern)
		local flow, found = ownFlow, {}
		for value, kind in string.gmatch(values, '([^;]+);([^;]+)') do
			local label = known[value]
			if not label then
				local name, itsFlow = string.match(redis.call('HGET', labels, value) or '', '^([^;]+);(.*)$')
				if not name then
					name, itsFlow = kind .. ' ' .. redis.call('HINCRBY', head, 'label:' .. kind, 1), ''
					changed[value] = true
				end
				label = { name = name, flow = itsFlow }
				known[value] = label
			end
			label.number = number
			if label.flow == '' and ownFlow ~= '' and string.sub(label.name, 1, #several) ~= several then
				label.flow = ownFlow
				changed[value] = true
			end
			if flow == '' then flow = label.flow end
			found[#found + 1] = label.name
		end
		if #found > 0 then redis.call('HSET', assigned, number, flow .. ';' .. table.concat(found, ';')) end
	end
	for value, label in pairs(known) do
		redis.call('ZADD', labeled, label.number, value)
		if changed[value] then redis.call('HSET', labels, value, label.name .. ';' .. label.flow) end
	end
	local excess = redis.call('ZCARD', labeled) - maxLabels
	if excess > 0 then
		local oldest = redis.call('ZPOPMIN', labeled, excess)
		for at = 1, #oldest, 2 do redis.call('HDEL', labels, oldest[at]) end
	end
	redis.call('HSET', head, 'traffic:settled', last)
end

local function trim()
	local length, total = redis.call('XLEN', entries), tonumber(redis.call('HGET', head, 'traffic:size') or '0')
	while length > maxEntries or (total > maxSize and length > 1) do
		local names, numbers, before = {}, {}, total
		for _, one in ipairs(redis.call('LRANGE', facts, 0, 31)) do
			if length <= maxEntries and (total <= maxSize or length <= 1) then break end
			local number, id, size = string.match(one, factsPattern)
			names[#names + 1], numbers[#numbers + 1] = id, number
			total = total - tonumber(size)
			length = length - 1
		end
		redis.call('XTRIM', entries, 'MAXLEN', length)
		redis.call('LTRIM', facts, #names, -1)
		redis.call('HDEL', ids, unpack(names))
		redis.call('HDEL', assigned, unpack(numbers))
		redis.call('HINCRBY', head, 'traffic:size', total - before)
	end
end

local function settle()
	labelNew()
	trim()
end
