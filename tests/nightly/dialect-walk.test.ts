import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walk, walks } from '../service/dialect-walk.ts';
import { createTestService } from '../service/test-service.ts';

test('accepts nothing of the other dialect in 10,000 requests, while the dialect changes', async () => {
	const property = fc.asyncProperty(walks(100), async (steps) => {
		const tested = createTestService();
		await walk(await tested.sandbox(), steps);
		expect(tested.faults).toEqual([]);
	});
	await fc.assert(property, { numRuns: 100 });
});
