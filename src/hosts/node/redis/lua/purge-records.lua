if redis.call('EXISTS', lock) == 1 then return 0 end
local gone = 0
for first = 3, #KEYS, partsPerKind do
	local at = (first - 3) / partsPerKind * 4
	local kind = kindAt(first, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
	for _, id in ipairs(redis.call('ZRANGEBYSCORE', kind.expiry, '-inf', ARGV[at + 4], 'LIMIT', 0, 1000)) do
		remove(kind, id, redis.call('HGET', kind.records, id))
		gone = gone + 1
	end
end
return gone
