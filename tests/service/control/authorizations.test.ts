import { expect, it } from 'vitest';
import { authorizationResult, type NewAuthorization } from '#api/control/authorizations.ts';
import { traffic } from '#api/control/traffic.ts';
import { queryOf, type AuthorizationParameters } from '../../conformance/user-agent.ts';
import { createTestService } from '../test-service.ts';

async function opened() {
	const at = await createTestService().sandbox();
	const send = (body: NewAuthorization) => at.controlled('POST', 'authorizations', body);
	const authorize = async (asked: AuthorizationParameters = {}, more: Partial<NewAuthorization> = {}) =>
		(await send({ username: 'player-three', query: queryOf(at.viewer, asked), ...more })).as(authorizationResult);
	const logged = async () =>
		(await at.controlled('GET', 'traffic')).as(traffic).entries.map(({ endpoint, username, response }) => ({
			endpoint,
			username,
			status: response?.status
		}));
	return { at, send, authorize, logged };
}

it('a user without a browser allows access, and the code can be exchanged', async () => {
	const { at, authorize, logged } = await opened();
	const { status, location = '' } = await authorize({ state: 'of the attacker' });
	const { searchParams } = new URL(location);
	expect([status, searchParams.get('state')]).toEqual([303, 'of the attacker']);
	expect((await at.exchange(searchParams.get('code') ?? '')).status).toBe(200);
	expect(await logged()).toEqual([
		{ endpoint: 'auth', username: 'player-three', status: 200 },
		{ endpoint: 'auth', username: 'player-three', status: 303 },
		{ endpoint: 'token', username: 'player-three', status: 200 }
	]);
	const again = await authorize();
	expect(again.location, 'granted before: there is no consent page').toContain('code=');
	expect((await logged()).length).toBe(4);
});

it('the user denies access, or sees an error page', async () => {
	const { at, authorize } = await opened();
	expect((await authorize({}, { decision: 'deny' })).location).toContain('error=access_denied');
	const page = await authorize({ redirect_uri: 'https://other.example/callback' });
	expect(page).toEqual({ status: 400, title: 'Error, invalid_request' });
	const unknown = await at.control('POST', 'authorizations', { username: 'player-nine', query: 'client_id=x' });
	expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('No account has this name')]);
});

it('RL-05 counts for the address that all X-Forwarded-For lines name, as its own request does', async () => {
	const at = await createTestService({ trustedProxies: 1 }).sandbox();
	const headers = ['X-Forwarded-For', '6.6.6.6', 'X-Forwarded-For', '9.9.9.9', 'X-Tollgate-Key', at.key];
	const body = JSON.stringify({ username: 'player-three', query: queryOf(at.viewer) });
	const target = '/control/authorizations';
	const type = ['Content-Type', 'application/json'];
	expect((await at.send({ method: 'POST', target, headers: [...headers, ...type], body })).status).toBe(200);
	const { entries } = (await at.controlled('GET', 'traffic')).as(traffic);
	expect(new Set(entries.map(({ address }) => address))).toEqual(new Set(['9.9.9.9']));
});

it('rejects a query that no HTTP request could carry', async () => {
	const { at, logged } = await opened();
	const query = queryOf(at.viewer);
	for (const character of ['\n', ' ', '\u001b', '\0', '\x7f', 'ž', '\u2028']) {
		const response = await at.control('POST', 'authorizations', { username: 'player-one', query: query + character });
		expect([response.status, response.text], JSON.stringify(character)).toEqual([
			400,
			expect.stringContaining('Percent-encode')
		]);
	}
	expect(await logged()).toEqual([]);
});

it('a browser without a response, and the page of an out-of-band request', async () => {
	const { at, send } = await opened();
	const query = queryOf(at.companion);
	expect((await send({ username: 'player-one', query })).as(authorizationResult).title).toMatch(/^Success,code=/);
	await at.controlled('POST', 'faults', { endpoint: 'auth', kind: 'drop' });
	expect((await send({ username: 'player-one', query })).as(authorizationResult)).toEqual({ status: null });
});

it('a link carries a code to a client, and the log has it as part of the flow of the code', async () => {
	const { at, authorize } = await opened();
	const { searchParams } = new URL((await authorize()).location ?? '');
	const link = (fields: Record<string, string>) =>
		at.control('GET', `authorization-response?${new URLSearchParams(fields).toString()}`);
	const { client_id, redirect_uri } = at.viewer;
	const fields = { client_id, redirect_uri, code: searchParams.get('code') ?? '' };
	const response = await link(fields);
	expect([response.status, response.header('location')]).toEqual([303, `${redirect_uri}?code=${fields.code}`]);
	const { entries } = (await at.controlled('GET', 'traffic')).as(traffic);
	const [issued, opening] = entries.slice(-2);
	expect(opening).toMatchObject({ endpoint: 'control', client_id, flow: issued?.flow });
	expect(JSON.stringify(opening)).not.toContain(fields.code);
	for (const wrong of [{ redirect_uri: 'https://other.example/' }, { client_id: 'unknown' }, { code: '' }])
		expect((await link({ ...fields, ...wrong })).status).toBe(400);
	const outOfBand = { client_id: at.companion.client_id, redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' };
	expect((await link({ ...fields, ...outOfBand })).status).toBe(400);
});
