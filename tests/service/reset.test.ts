import { expect, it } from 'vitest';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Store } from '#store/store.ts';
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

it('RM-03 RS-03 a reset that fails leaves the sandbox clock where it was', async () => {
	let isAway = false;
	const memory = createMemoryStore<Records>(recordLimits);
	const store: Store<Records> = {
		...memory,
		forSandbox(...sandbox) {
			const records = memory.forSandbox(...sandbox);
			const replace: typeof records.replace = (contents) =>
				isAway ? Promise.reject(new Error('The store is away.')) : records.replace(contents);
			return new Proxy(records, {
				get: (target, name) => {
					const value: unknown = name === 'replace' ? replace : Reflect.get(target, name);
					return typeof value === 'function' ? value.bind(target) : value;
				}
			});
		}
	};
	const tested = createTestService({ store });
	const at = await tested.sandbox();
	const before = await at.now();
	tested.clock -= 3_600_000;
	expect(await at.now(), 'the machine clock was set back').toBe(before);
	isAway = true;
	expect((await at.control('POST', 'reset')).status).toBeGreaterThanOrEqual(500);
	expect(await at.now()).toBe(before);
});
