import { expect, it } from 'vitest';
import { createTestService } from './test-service.ts';

it('RM-03 a sandbox that is reset several times at once keeps its key', async () => {
	// Other stores take their time, so that calls come in between: one turn of the loop for each step here.
	for (let distance = 0; distance < 60; distance++) {
		const at = await createTestService().sandbox();
		const first = at.control('POST', 'reset');
		for (let turn = 0; turn < distance; turn++) await Promise.resolve();
		const responses = await Promise.all([first, at.control('POST', 'reset')]);
		expect(responses.map((response) => response.status)).toEqual([200, 200]);
		expect((await at.control('GET', 'sandbox')).status, `after ${distance} turns`).toBe(200);
	}
});
