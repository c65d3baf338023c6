import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { encode } from '../conformance/sandbox.ts';
import { createTestService } from '../service/test-service.ts';

// Stored parts of a request or page do not keep the whole request or page in memory.

const megabyte = 1_000_000;
/** An unknown parameter, as long as a target may be. */
const ballast = `ballast=${'x'.repeat(15_000)}`;

it('RM-05 stores the parameters of an abandoned sign-in without the URL around them', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const query = { response_type: 'code', client_id: 'character-viewer', scope: 'character_read' };
	const grown = await growth(async () => {
		for (let count = 0; count < 900; count++) {
			const parameters = encode({ ...query, state: `the state of the sign-in ${count}` });
			const target = `/ws/oauth2/auth/?${parameters}&redirect_uri=${at.viewer.redirect_uri}&${ballast}`;
			expect((await at.get(target)).status).toBe(200);
		}
		await at.controlled('DELETE', 'traffic');
	});
	expect(await tested.store.forSandbox(at.id, still).list('pending_authorization')).toHaveLength(900);
	expect(grown).toBeLessThan(4 * megabyte);
});

it('RM-05 stores the scopes of a refreshed token without the form around them', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const forms: string[] = [];
	// A code exchange keeps 200 tokens.
	for (let exchange = 0; exchange < 5; exchange++) {
		const asked = { scope: 'character_read location_read' };
		const { refresh_token } = await at.user().offline(at.companion, asked);
		forms.push(encode({ grant_type: 'refresh_token', refresh_token, ...at.companion, scope: 'location_read' }));
	}
	const grown = await growth(async () => {
		for (let count = 0; count < 900; count++)
			expect((await at.token(`${forms[count % 5] ?? ''}&${ballast}`)).status).toBe(200);
		await at.controlled('DELETE', 'traffic');
	});
	expect(await tested.store.forSandbox(at.id, still).list('access_token')).toHaveLength(905);
	expect(grown).toBeLessThan(4 * megabyte);
});

it('RM-05 stores the beginning of a long page in the traffic log, and nothing of evicted entries', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const user = at.user();
	for (let count = 0; count < 40; count++) await user.code(await at.register('web', ['https://app.example/cb']));
	const grown = await growth(async () => {
		for (let count = 0; count < 400; count++) {
			const page = await user.open('/account');
			expect(page.text.length).toBeGreaterThan(40_000);
		}
	});
	expect((await at.traffic()).length).toBeGreaterThan(100_000);
	expect(grown).toBeLessThan(4 * megabyte);
});

const still = { sandbox: () => 0, real: () => 0 };

/** By how many bytes some work makes the heap larger, after garbage collection. */
async function growth(work: () => Promise<void>): Promise<number> {
	const before = await heap();
	await work();
	return (await heap()) - before;
}

async function heap(): Promise<number> {
	setFlagsFromString('--expose-gc');
	const collect: unknown = runInNewContext('gc');
	for (let round = 0; round < 3; round++) {
		await new Promise((resolve) => setImmediate(resolve));
		if (typeof collect === 'function') collect();
	}
	return process.memoryUsage().heapUsed;
}
