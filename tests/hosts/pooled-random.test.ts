import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pooledRandom } from '#hosts/web-service.ts';

test('gives as many bytes as asked for, and none of them twice', () => {
	fc.assert(
		fc.property(
			fc.array(fc.oneof(fc.integer({ min: 16, max: 64 }), fc.integer({ min: 4000, max: 9000 }))),
			(counts) => {
				const random = pooledRandom();
				const given = counts.map((count) => random(count));
				expect(given.map(({ length }) => length)).toEqual(counts);
				expect(new Set(given.map((bytes) => Buffer.from(bytes.subarray(0, 16)).toString('hex'))).size).toBe(
					counts.length
				);
				expect(new Set(given.map((bytes) => Buffer.from(bytes.subarray(-16)).toString('hex'))).size).toBe(
					counts.length
				);
			}
		)
	);
});
