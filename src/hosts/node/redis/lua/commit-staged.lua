local token, isFirst, parts = ARGV[1], ARGV[2], partsPerKind
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
