local generation = redis.call('HGET', KEYS[1], 'generation') or ''
local isSame, found = generation == ARGV[1], { generation }
local function read(key, id)
	local stored = redis.call('HGET', KEYS[tonumber(key)], id)
	found[#found + 1] = stored or ''
	return stored
end
local at = 2
while at <= #ARGV do
	local isHeld, stored = ARGV[at + 2] == '1', false
	if isHeld and isSame then found[#found + 1] = '' else stored = read(ARGV[at], ARGV[at + 1]) end
	local links = tonumber(ARGV[at + 3])
	local record = stored and links > 0 and cjson.decode(string.match(stored, '^%d+;%d+;%d+;(.*)$'))
	at = at + 4
	for _ = 1, links do
		local id = {}
		for field in string.gmatch(ARGV[at + 1], '[^,]+') do id[#id + 1] = record and record[field] or '' end
		if record then read(ARGV[at], table.concat(id, '\n')) else found[#found + 1] = '' end
		at = at + 2
	end
end
return found
