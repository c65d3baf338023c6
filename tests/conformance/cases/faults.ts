import * as v from 'valibot';
import { equal, lacks, matches, ok } from '../assert.ts';
import { testCase, hostCase, storeCase, type Case } from '../case.ts';
import { encode, formType, type Sandbox } from '../sandbox.ts';
import type { TestResponse } from '../response.ts';
import type { TestRequest } from '../transport.ts';

const faults = v.object({ faults: v.array(v.object({ times: v.nullable(v.number()) })) });
const rejected = v.object({ error: v.string(), field: v.string() });
const extra = v.object({ profile: v.object({}), session: v.null(), issued: v.number(), notice: v.string() });
const xml = ['Accept', 'application/xml'] as const;
const limits = '/ws/v2.0/ratelimits';

const refreshRequest = (at: Sandbox, refresh_token: string): TestRequest => {
	const { client_id, client_secret } = at.viewer;
	const body = encode({ grant_type: 'refresh_token', refresh_token, client_id, client_secret });
	return { method: 'POST', target: '/ws/oauth2/token/', headers: formType, body };
};

/** RM-07, FA-01 to FA-05: what faults do, and which requests meet them. */
export const faultCases: readonly Case[] = [
	hostCase(
		'RM-07 applies a status, a delay and a drop to the next responses of one endpoint, as often as configured',
		async (at) => {
			await at.controlled('POST', 'faults', { endpoint: 'ratelimits', kind: 'status', status: 503, times: 2 });
			const statuses: number[] = [];
			for (let call = 0; call < 3; call++) statuses.push((await at.get('/ws/v2.0/ratelimits')).status);
			equal(statuses, [503, 503, 401]);
			await at.controlled('POST', 'faults', { endpoint: 'token', kind: 'drop' });
			equal(await at.trySend({ method: 'POST', target: '/ws/oauth2/token/' }), undefined);
			equal((await at.token('')).status, 400);
			await at.controlled('POST', 'faults', { endpoint: 'revoke', kind: 'delay', delay_ms: 50 });
			const began = await at.logged(await at.get('/ws/oauth2/revoke'));
			ok(
				began.trace.some((line) => line.detail.includes('delay')),
				JSON.stringify(began.trace)
			);
			equal((await at.control('GET', 'faults')).as(faults).faults, []);
		}
	),
	hostCase('RM-07 commits once if the response is dropped after the work', async (at) => {
		const code = await at.user().code(at.viewer, { access_type: 'offline' });
		await at.controlled('POST', 'faults', { endpoint: 'token', kind: 'drop', after_commit: true });
		const fields = { grant_type: 'authorization_code', code, ...at.viewer };
		const body = new URLSearchParams(fields).toString();
		const headers = ['Content-Type', 'application/x-www-form-urlencoded'];
		equal(await at.trySend({ method: 'POST', target: '/ws/oauth2/token/', headers, body }), undefined);
		const again = await at.exchange(code);
		equal([again.status, again.error], [400, 'invalid_grant']);
		matches(again.text, 'already used');
		const { refresh_token } = await at.user('player-two').offline();
		await at.controlled('POST', 'faults', { endpoint: 'revoke', kind: 'status', status: 502, after_commit: true });
		equal((await at.revoke(refresh_token)).status, 502);
		equal((await at.refresh(refresh_token)).error, 'invalid_grant');
	}),
	testCase('RM-07 limits and validates faults, and never applies them to controls and health', async (at) => {
		const wrong = [
			{ endpoint: 'control', kind: 'drop' },
			{ endpoint: 'health', kind: 'drop' },
			{ endpoint: 'token', kind: 'explode' },
			{ endpoint: 'token', kind: 'status', status: 200 },
			{ endpoint: 'token', kind: 'delay', delay_ms: 31_000 },
			{ endpoint: 'token', kind: 'drop', times: 0 },
			{ endpoint: 'token', kind: 'drop', times: 1e9 }
		];
		for (const fault of wrong) equal((await at.control('POST', 'faults', fault)).status, 400, JSON.stringify(fault));
		const endpoints = ['auth', 'token', 'revoke', 'character', 'ratelimits'];
		const made = [];
		for (let fault = 0; fault < 21; fault++) {
			const json = { endpoint: endpoints[fault % 5], kind: 'drop', times: 1000 };
			made.push((await at.control('POST', 'faults', json)).status);
		}
		equal(made, [...Array<number>(20).fill(201), 409]);
		equal((await at.get('/control/health')).text, '{"status":"ok"}');
		equal((await at.get('/account')).status, 200);
		equal(await at.trySend({ target: '/ws/oauth2/auth/' }), undefined);
		await at.controlled('DELETE', 'faults');
		equal((await at.get('/ws/oauth2/auth/')).status, 400);
	}),
	testCase('FA-01 reports an OAuth error in the format of the endpoint', async (at) => {
		await at.fault({ endpoint: 'token', kind: 'oauth_error', error: 'invalid_grant', times: 2 });
		const [asJson, asXml] = [await at.token(''), await at.token('', ...xml)];
		equal([asJson.status, asJson.error, asXml.status], [400, 'invalid_grant', 400]);
		matches(asXml.text, '<OAuth><error>invalid_grant</error>');
		await at.fault({ endpoint: 'revoke', kind: 'oauth_error', error: 'invalid_token' });
		const revoked = await at.get('/ws/oauth2/revoke');
		equal([revoked.status, revoked.error], [400, 'invalid_token']);
		await at.fault({ endpoint: 'ratelimits', kind: 'oauth_error', error: 'temporarily_unavailable' });
		const resource = await at.get(limits);
		equal([resource.status, resource.error, resource.limit.remaining], [503, 'temporarily_unavailable', 149]);
	}),
	testCase('FA-01 redirects valid authorization requests only, with state', async (at) => {
		const user = at.user();
		await at.fault({ endpoint: 'auth', kind: 'oauth_error', error: 'server_error' });
		equal((await at.get('/ws/oauth2/auth/?client_id=unknown')).status, 400, 'an invalid request');
		const failed = await user.authorize(at.viewer, { state: 'x y' });
		equal([failed.status, failed.parameter('error'), failed.parameter('state')], [303, 'server_error', 'x y']);
		ok(failed.location.startsWith(at.viewer.redirect_uri), failed.location);
		await at.fault({ endpoint: 'auth', kind: 'oauth_error', error: 'access_denied' });
		const denied = await user.authorize(at.companion);
		matches(denied.title, 'error=access_denied');
		equal((await user.authorize(at.viewer)).status, 200, 'the request after it');
	}),
	testCase('FA-01 rejects credentials, permissions and calls as the endpoint does', async (at) => {
		const { access_token } = await at.user().tokens();
		for (const kind of ['unauthorized', 'forbidden', 'rate_limited']) await at.fault({ endpoint: 'character', kind });
		const limited = await at.character(access_token);
		equal([limited.status, limited.error, limited.limit.remaining], [400, 'rate_limit_exceeded', 0]);
		const unauthorized = await at.character(access_token);
		equal([unauthorized.status, unauthorized.error, unauthorized.limit.remaining], [401, 'invalid_token', 599]);
		equal(unauthorized.header('www-authenticate'), 'OAuth realm="Tollgate", error="invalid_token"');
		const forbidden = await at.character(access_token);
		equal([forbidden.status, forbidden.error], [403, 'insufficient_scope']);
		matches(forbidden.header('www-authenticate'), 'scope="character_read"');
		await at.fault({ endpoint: 'token', kind: 'unauthorized' });
		const token = await at.token('');
		equal([token.status, token.error], [401, 'invalid_client']);
		const { trace } = await at.logged(token);
		ok(
			trace.some(({ detail }) => /^Injected by fault [\w-]{12}: 401/.test(detail)),
			JSON.stringify(trace)
		);
	}),
	hostCase('FA-02 sends a body that cannot be parsed, with the negotiated content type', async (at) => {
		await at.fault({ endpoint: 'token', kind: 'garbage', times: 2 });
		const [asJson, asXml] = [await at.token(''), await at.token('', ...xml)];
		equal([asJson.status, asJson.header('content-type')], [200, 'application/json; charset=utf-8']);
		equal([asXml.status, asXml.header('content-type')], [200, 'application/xml; charset=utf-8']);
		ok(!isJson(asJson.text), asJson.text);
		lacks(asXml.text, '</OAuth>');
		const { refresh_token } = await at.user().offline();
		await at.fault({ endpoint: 'revoke', kind: 'garbage', after_commit: true });
		ok(!isJson((await at.revoke(refresh_token)).text), 'garbage after the revocation');
		equal((await at.refresh(refresh_token)).error, 'invalid_grant');
	}),
	hostCase('FA-02 ends the connection in the middle of the body, before or after the work', async (at) => {
		const { refresh_token } = await at.user().offline();
		await at.fault({ endpoint: 'token', kind: 'truncated', times: 2 });
		await at.fault({ endpoint: 'auth', kind: 'truncated' });
		await at.fault({ endpoint: 'revoke', kind: 'truncated', after_commit: true });
		const query = encode({ token: refresh_token, client_id: at.viewer.client_id });
		const sent: TestRequest[] = [
			refreshRequest(at, refresh_token),
			{ ...refreshRequest(at, refresh_token), headers: [...formType, ...xml] },
			{ target: '/ws/oauth2/auth/', headers: ['Accept', 'text/html'] },
			{ target: `/ws/oauth2/revoke?${query}` }
		];
		for (const request of sent) {
			const cut = await at.sendAny(request);
			equal([cut?.status, cut?.isTruncated], [200, true], request.target);
			const announced = Number(cut?.header('content-length'));
			ok(announced > 10 && (cut?.text.length ?? 0) < announced, `${cut?.text.length ?? 0} of ${announced}`);
		}
		equal((await at.refresh(refresh_token)).error, 'invalid_grant', 'after the revocation');
	}),
	testCase('FA-03 applies to one application at every endpoint', async (at) => {
		const [user, other] = [at.user(), at.user('player-two')];
		const app = await at.register('web', ['https://x.example/cb']);
		const [mine, theirs] = [await user.offline(), await other.offline(app)];
		await at.fault({ client_id: app.client_id, kind: 'status', status: 599, times: null });
		const statuses = async (who: typeof user, client: typeof app, tokens: typeof mine) => [
			(await who.authorize(client)).status,
			(await at.refresh(tokens.refresh_token, client)).status,
			(await at.character(tokens.access_token)).status,
			(await at.get(`${limits}?access_token=${tokens.access_token}`)).status,
			(await at.revoke(tokens.refresh_token, client.client_id)).status
		];
		equal(await statuses(user, at.viewer, mine), [303, 200, 200, 200, 200]);
		equal(await statuses(other, app, theirs), [599, 599, 599, 599, 599]);
		equal((await at.get(limits)).status, 401, 'a request of no application');
	}),
	storeCase('FA-04 stays until it is deleted, and spares requests by its percentage', async (at) => {
		const id = await at.fault({ endpoint: 'ratelimits', kind: 'status', status: 503, times: null });
		for (let call = 0; call < 3; call++) equal((await at.get(limits)).status, 503);
		equal((await at.control('DELETE', `faults/${id}`)).as(faults).faults, []);
		equal((await at.get(limits)).status, 401);
		await at.fault({ endpoint: 'revoke', kind: 'status', percentage: 50, times: null });
		const statuses = new Set<number>();
		for (let call = 0; call < 60; call++) statuses.add((await at.get('/ws/oauth2/revoke')).status);
		equal([...statuses].sort(), [400, 503]);
	}),
	testCase('FA-06 adds parameters that a client does not know to an authorization response', async (at) => {
		await at.fault({ endpoint: 'auth', kind: 'extra_parameters' });
		const response = await at.user().allow(at.viewer, { state: 'x y' });
		equal([response.parameter('hd'), response.parameter('state')], ['example.test', 'x y']);
		ok(response.parameter('session_state') !== undefined, response.location);
		const tokens = await at.exchange(response.parameter('code') ?? '');
		equal(tokens.status, 200);
		equal(await faultTitles(at, response), ['A fault changes the response']);
	}),
	hostCase('FA-06 issues a code that needs encoding, and exchanges it', async (at) => {
		await at.fault({ endpoint: 'auth', kind: 'hard_code' });
		const code = await at.user().code();
		equal(code.length, 256);
		for (const character of '-._~+/=%&') ok(code.includes(character), `${character} is in ${code}`);
		equal((await at.exchange(code)).status, 200);
		lacks(await at.traffic(), code.slice(0, 43));
	}),
	testCase('FA-06 names what a client did to a code that needs encoding', async (at) => {
		await at.fault({ endpoint: 'auth', kind: 'hard_code' });
		const code = await at.user().code();
		const response = await at.exchange(decodeURIComponent(code));
		equal([response.status, response.error], [400, 'invalid_grant']);
		equal(await at.failedCheck(response), 'token.code_known');
	}),
	hostCase('FA-06 sends a description with HTML to the application, percent-encoded', async (at) => {
		await at.fault({ endpoint: 'auth', kind: 'error_text' });
		const response = await at.user().authorize(at.viewer, { state: 's' });
		equal([response.parameter('error'), response.parameter('state')], ['access_denied', 's']);
		matches(response.parameter('error_description') ?? '', `<img src=${at.base_url}/ratelimiting?canary=`);
		lacks(response.location, '<');
	}),
	testCase('FA-06 adds fields that a client does not know to a token response', async (at) => {
		await at.fault({ endpoint: 'token', kind: 'extra_fields', times: 3 });
		const code = await at.user().code();
		const response = await at.exchange(code);
		const { profile, session, issued, notice } = response.as(extra);
		equal([typeof profile, session, typeof issued, notice.length > 2000], ['object', null, 'number', true]);
		ok(response.tokens.access_token.length === 43, response.text);
		equal(await faultTitles(at, response), ['A fault changes the response']);
		const { client_id, client_secret } = at.viewer;
		const { refresh_token } = await at.user('player-two').offline();
		const fields = { grant_type: 'refresh_token', refresh_token, client_id, client_secret };
		matches((await at.token(fields, ...xml)).text, '<session/>');
	}),
	testCase('FA-05 rejects a fault that contradicts itself, and names the field', async (at) => {
		const wrong: [string, object][] = [
			['endpoint', { kind: 'drop' }],
			['endpoint', { endpoint: 'control', kind: 'drop' }],
			['client_id', { client_id: 'unknown-app', kind: 'drop' }],
			['kind', { endpoint: 'token', kind: 'rate_limited' }],
			['kind', { endpoint: 'auth', kind: 'garbage' }],
			['kind', { endpoint: 'token', kind: 'hard_code' }],
			['kind', { endpoint: 'character', kind: 'extra_fields' }],
			['after_commit', { endpoint: 'token', kind: 'extra_fields', after_commit: true }],
			['kind', { endpoint: 'ratelimits', kind: 'forbidden' }],
			['error', { endpoint: 'token', kind: 'oauth_error' }],
			['error', { endpoint: 'token', kind: 'oauth_error', error: 'access_denied' }],
			['status', { endpoint: 'token', kind: 'drop', status: 503 }],
			['delay_ms', { endpoint: 'token', kind: 'delay', delay_ms: 30_001 }],
			['after_commit', { endpoint: 'character', kind: 'rate_limited', after_commit: true }],
			['percentage', { endpoint: 'token', kind: 'drop', percentage: 0 }],
			['times', { endpoint: 'token', kind: 'drop', times: 1001 }]
		];
		for (const [field, fault] of wrong) {
			const response = await at.control('POST', 'faults', fault);
			equal([response.status, response.as(rejected).field], [400, field], JSON.stringify(fault));
		}
		equal((await at.control('GET', 'faults')).as(faults).faults, []);
	})
];

async function faultTitles(at: Sandbox, response: TestResponse): Promise<string[]> {
	const { trace } = await at.logged(response);
	return trace.filter(({ detail }) => detail.startsWith('Injected by fault')).map(({ name }) => name);
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
