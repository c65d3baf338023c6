import fc from 'fast-check';
import { expect, it } from 'vitest';
import { walk, walks } from './dialect-walk.ts';
import { createTestService } from './test-service.ts';

it('accepts nothing of the other dialect in 500 requests, while the dialect changes', async () => {
	const property = fc.asyncProperty(walks(50), async (steps) => {
		const tested = createTestService();
		await walk(await tested.sandbox(), steps);
		expect(tested.faults).toEqual([]);
	});
	await fc.assert(property, { numRuns: 10 });
});
