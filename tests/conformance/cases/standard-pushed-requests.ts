import { equal, ok } from '../assert.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';
import { exchangeWithPkce, openPushed, push, requestUriOf, standardCase, standardStoreCase } from '../standard.ts';
import { codeOf, type TestUser } from '../user-agent.ts';

/** What rejected a request: the check and its cause. */
async function rejection(at: Sandbox, response: TestResponse): Promise<unknown[]> {
	const failed = (await at.logged(response)).trace.find(({ outcome }) => outcome === 'failed');
	return [response.status, failed?.id, failed?.cause];
}

/** Signs in and allows access after the redirect to the pages. */
async function allow(user: TestUser, first: TestResponse): Promise<TestResponse> {
	equal(first.status, 303, first.text);
	const page = await user.open(first.location);
	const consent = page.text.includes('name="password"') ? await user.signInOn(page) : page;
	return user.decide(consent);
}

const valid = 'auth.request_uri_valid';

/** ST-14: authorization requests that the client pushes (RFC 9126). */
export const standardPushedRequestCases = [
	standardStoreCase('ST-14 a pushed request leads to a code and tokens, once', async (at) => {
		const response = await push(at, { state: 'a state' });
		equal(Object(response.json()).expires_in, 90);
		const request_uri = requestUriOf(response);
		const user = at.user();
		const first = await openPushed(user, request_uri);
		equal((await user.open(first.location)).status, 200, 'the page after a reload');
		const callback = await allow(user, first);
		equal(callback.parameter('state'), 'a state');
		equal((await exchangeWithPkce(at, codeOf(callback))).status, 200);
		equal(await rejection(at, await openPushed(user, request_uri)), [400, valid, 'already_used']);
	}),
	standardCase('ST-14 a user without a browser allows a pushed request', async (at) => {
		const { client_id } = at.viewer;
		const query = new URLSearchParams({ client_id, request_uri: requestUriOf(await push(at)) }).toString();
		const sent = await at.controlled('POST', 'authorizations', { username: 'player-one', query });
		const { searchParams } = new URL(String(Object(sent.json()).location));
		equal((await exchangeWithPkce(at, searchParams.get('code') ?? '')).status, 200);
	}),
	standardCase('ST-14 of 20 browsers with one request URI, one goes on', async (at) => {
		const request_uri = requestUriOf(await push(at));
		const opened = await Promise.all(Array.from({ length: 20 }, () => openPushed(at.user(), request_uri)));
		equal(opened.filter(({ status }) => status === 303).length, 1);
	}),
	standardCase('ST-14 a browser that loads the page ahead does not use the request up', async (at) => {
		const request_uri = requestUriOf(await push(at));
		const target = `/ws/oauth2/auth/?client_id=${at.viewer.client_id}&request_uri=${encodeURIComponent(request_uri)}`;
		await at.get(target, 'Sec-Purpose', 'prefetch');
		equal((await openPushed(at.user(), request_uri)).status, 303);
	}),
	standardCase('ST-14 a request URI expires by the clock, and belongs to one client', async (at) => {
		const [old, other] = [requestUriOf(await push(at)), requestUriOf(await push(at))];
		const user = at.user();
		const foreign = await user.open(
			`/ws/oauth2/auth/?client_id=pocket-companion&request_uri=${encodeURIComponent(other)}`
		);
		equal(await rejection(at, foreign), [400, valid, 'other_client']);
		equal((await openPushed(user, other)).status, 303, 'its own client');
		await at.advance(90);
		equal(await rejection(at, await openPushed(user, old)), [400, valid, 'expired']);
		const unknown = await openPushed(user, `urn:ietf:params:oauth:request_uri:${'x'.repeat(43)}`);
		equal(await rejection(at, unknown), [400, valid, 'unknown']);
	}),
	standardCase('ST-14 parameters beside the request URI are rejected, and do not use it up', async (at) => {
		const request_uri = requestUriOf(await push(at));
		for (const more of [{ scope: 'location_read' }, { redirect_uri: at.viewer.redirect_uri }, { state: 'x' }])
			equal(await rejection(at, await openPushed(at.user(), request_uri, more)), [
				400,
				'auth.request_uri_alone',
				undefined
			]);
		equal((await openPushed(at.user(), request_uri, { unknown: 'x' })).status, 303);
	}),
	standardCase('ST-14 wrong requests are rejected when they are pushed', async (at) => {
		const wrong = [
			[{ redirect_uri: 'https://other.example/cb' }, 'invalid_request', 'auth.redirect_uri_registered'],
			[{ response_type: 'token' }, 'unsupported_response_type', 'auth.response_type_is_code'],
			[{ scope: 'everything' }, 'invalid_scope', 'auth.scope_known'],
			[{ code_challenge_method: 'plain' }, 'invalid_request', 'auth.code_challenge_is_s256'],
			[{ request_uri: 'urn:x:y' }, 'request_uri_not_supported', 'auth.request_object_absent'],
			[{ resource: '/path' }, 'invalid_target', 'auth.resource_is_uri'],
			[{ state: 'x'.repeat(4097) }, 'invalid_request', 'par.request_read']
		] as const;
		for (const [more, error, check] of wrong) {
			const response = await push(at, more);
			equal([response.status, response.error, await at.failedCheck(response)], [400, error, check]);
			equal(response.header('location'), undefined);
		}
		const secret = await push(at, {}, { ...at.viewer, client_secret: 'wrong' });
		equal([secret.status, secret.error], [401, 'invalid_client']);
		equal((await at.get('/ws/oauth2/par')).status, 405);
	}),
	standardCase('ST-14 a public client pushes, and its errors are those of the query', async (at) => {
		const { client_id, redirect_uri } = at.companion;
		const form = { client_id, redirect_uri, response_type: 'code', scope: 'character_read' };
		equal((await at.post('/ws/oauth2/par', form)).error, 'invalid_request', 'without PKCE');
	}),
	standardCase('ST-14 with the setting, all requests must be pushed', async (at) => {
		await at.changeSettings({ require_pushed_requests: true });
		const plain = await at.user().authorize(at.viewer, { state: 'x' });
		const callback = await at.user().authorize(at.viewer, {
			code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
			code_challenge_method: 'S256',
			state: 'x'
		});
		equal([plain.parameter('error'), callback.parameter('error')], ['invalid_request', 'invalid_request']);
		equal(callback.parameter('state'), 'x');
		equal(await at.failedCheck(callback), 'auth.request_pushed');
		equal((await openPushed(at.user(), requestUriOf(await push(at)))).status, 303);
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.user().authorize()).status, 200);
	}),
	standardCase('ST-14 metadata names the endpoint, and the specification does not have it', async (at) => {
		const read = async () => Object((await at.get('/.well-known/oauth-authorization-server')).json());
		const metadata = await read();
		equal(metadata.pushed_authorization_request_endpoint, `${at.base_url}/ws/oauth2/par`);
		equal(metadata.require_pushed_authorization_requests, false);
		await at.changeSettings({ require_pushed_requests: true });
		equal((await read()).require_pushed_authorization_requests, true);
		await at.changeSettings({ dialect: 'specification' });
		equal((await push(at)).status, 404);
		ok((await at.user().authorize(at.viewer, { request_uri: 'urn:x' })).status === 200, 'ignored there');
	})
];
