import { expect, it } from 'vitest';
import { CacheLimit } from '#hosts/node/redis/cache-limit.ts';

it('forgets what was held first when the objects of all writers are too large together', () => {
	const cacheLimit = new CacheLimit(100);
	const forgotten: number[] = [];
	const objects = [40, 30, 30, 30, 200].map((size) => ({ size }));
	const hold = (at: number) => cacheLimit.hold(objects[at] ?? {}, objects[at]?.size ?? 0, () => forgotten.push(at));
	[0, 1, 2].forEach(hold);
	expect(forgotten).toEqual([]);
	hold(3);
	expect(forgotten, '130, so the first 40').toEqual([0]);
	cacheLimit.release(objects[1] ?? {});
	hold(0);
	expect(forgotten, '100, without the released 30').toEqual([0]);
	hold(4);
	expect(forgotten, 'also one that is too large alone').toEqual([0, 2, 3, 0, 4]);
});
