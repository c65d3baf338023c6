import { expect, test } from 'vitest';
import { idTokenFaults } from '#api/control/fault-rules.ts';
import { revokeAndDelete } from '#client/oauth/revocation.ts';
import { errorCode } from '../test-browser.ts';
import { TestCore } from './test-core.ts';

const path = '/ws/v2.0/character/Mara%20Vell';

async function signedIn() {
	const core = new TestCore();
	const { service } = core;
	const tokenSet = await core.signIn();
	service.requests.length = 0;
	return { core, service, tokenSet };
}

test('revokes by POST with its credentials in the dialect of today’s standards, and sends Bearer tokens', async () => {
	const { core, service } = await signedIn();
	await service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const { id, access_token, scheme } = await core.signIn();
	expect(scheme).toBe('Bearer');
	const resources = core.createResourceClient();
	expect((await resources.get(path, { tokenSetId: id })).status).toBe(200);
	const { tokens, provider } = core;
	service.requests.length = 0;
	const options = { fetch: service.fetch, client_secret: 'viewer-secret' };
	expect(await revokeAndDelete(id, tokens, provider, options)).toBe('revoked');
	expect(service.requests.map(({ method }) => method)).toEqual(['POST']);
	const authorization = `Bearer ${access_token}`;
	expect((await service.fetch(`${service.baseUrl}${path}`, { headers: { authorization } })).status).toBe(401);
});

test('tries the other method if the service changed its dialect since', async () => {
	const { core, service, tokenSet } = await signedIn();
	await service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const options = { fetch: service.fetch, client_secret: 'viewer-secret' };
	expect(await revokeAndDelete(tokenSet.id, core.tokens, core.provider, options)).toBe('revoked');
	expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

test('20 calls in each of two tabs share one refresh, so rotation does not end the sign-in', async () => {
	const { core, service } = await signedIn();
	await service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const tokenSet = await core.signIn();
	service.ahead += 4_000_000;
	const tabs = [core.tokens, core.createTokenManager()].map((tokens) =>
		core.createResourceClient({ tokens, throttle: () => false })
	);
	for (let round = 0; round < 2; round++) {
		const calls = tabs.flatMap((tab) => Array.from({ length: 20 }, () => tab.get(path, { tokenSetId: tokenSet.id })));
		const statuses = (await Promise.all(calls)).map(({ status }) => status);
		expect(statuses).toEqual(Array<number>(40).fill(200));
		service.ahead += 4_000_000;
	}
	expect((await core.store.get(tokenSet.id))?.ended).toBeNull();
});

const identity = { scope: ['openid', 'profile', 'email', 'character_read'] };

test('verifies the ID token by the clock of the service, and keeps what it says', async () => {
	const { core, service } = await signedIn();
	await service.control('PATCH', '/control/settings', { dialect: 'standard' });
	service.ahead += 90 * 24 * 3600 * 1000;
	const { claims } = await core.signIn(identity);
	expect(claims).toMatchObject({ iss: service.baseUrl, aud: 'character-viewer', preferred_username: 'player-one' });
	expect(Number(claims?.exp)).toBeGreaterThan(core.now() / 1000);
	expect(core.events.find(({ type }) => type === 'id_token_verified')).toMatchObject({ issuer: service.baseUrl });
	expect((await core.signIn()).claims).toBeUndefined();
});

test.each(idTokenFaults)('rejects an ID token with the fault %s', async (kind) => {
	const { core, service } = await signedIn();
	await service.control('PATCH', '/control/settings', { dialect: 'standard' });
	await service.control('POST', '/control/faults', { endpoint: 'token', kind });
	expect(await errorCode(core.signIn(identity))).toBe('unexpected_response');
});
