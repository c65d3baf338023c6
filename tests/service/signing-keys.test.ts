import { expect, it, vi } from 'vitest';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { createMemoryStore } from '#store/memory.ts';
import { rotate, signIn } from '../conformance/openid.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { createTestService, type TestService } from './test-service.ts';

/** The private parts of all keys of a sandbox. */
async function privateParts({ store }: TestService, id: string): Promise<string[]> {
	const list = await store.forSandbox(id, { sandbox: () => 0, real: () => 0 }).list('signing_key');
	return list.flatMap(([, { keys }]) =>
		keys.flatMap(({ jwk: { d, p, q, dp, dq, qi } }) => [d, p, q, dp, dq, qi].filter((part) => part !== undefined))
	);
}

/** The whole event stream of the traffic log, from its beginning to now. */
async function readStream(at: Sandbox): Promise<string> {
	const stream = await at.stream('traffic/stream', 'Last-Event-ID', '0');
	let text = '';
	while (!text.includes('"endpoint":"jwks"')) text += (await stream.next()) ?? '';
	stream.close();
	return text;
}

it('shows no part of a private key, in any response, page, log, export or stream', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.changeSettings({ dialect: 'standard' });
	let shown = '';
	for (const alg of ['RS256', 'ES256'] as const) {
		shown += await rotate(at, alg);
		shown += (await signIn(at)).id.text;
	}
	const user = at.user();
	await user.signIn();
	for (const path of ['/ws/oauth2/jwks', '/.well-known/openid-configuration', '/account', '/ratelimiting'])
		shown += (await user.open(path)).text;
	for (const path of [
		'signing_keys',
		'snapshot',
		'preset',
		'status',
		'world',
		'sandbox',
		'settings',
		'credentials',
		'faults'
	])
		shown += (await at.controlled('GET', path)).text;
	shown += (await at.traffic()) + (await readStream(at));
	const parts = await privateParts(tested, at.id);
	expect(parts).toHaveLength(7);
	expect(shown.length).toBeGreaterThan(10_000);
	for (const part of parts) expect(shown.includes(part)).toBe(false);
	expect(tested.faults).toEqual([]);
});

it('signs with the same key after a restart, and on another server of the same store', async () => {
	const store = createMemoryStore<Records>(recordLimits);
	const at = await createTestService({ store }).sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const { id } = await signIn(at);
	const restarted = at.through(createTestService({ store }).transport);
	expect((await signIn(restarted)).id.header.kid).toBe(id.header.kid);
});

it('makes no key for sign-ins without openid', async () => {
	const generateKey = vi.spyOn(crypto.subtle, 'generateKey');
	const at = await createTestService().sandbox();
	await at.user().tokens();
	expect(generateKey).not.toHaveBeenCalled();
	await at.changeSettings({ dialect: 'standard' });
	await Promise.all([signIn(at), signIn(at, {}, at.user('player-two'))]);
	expect(generateKey).toHaveBeenCalledTimes(1);
	generateKey.mockRestore();
});
