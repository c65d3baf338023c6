import { equal, fieldsOf, matches, ok } from '../assert.ts';
import { testCase, hostCase, storeCase, type Case } from '../case.ts';
import type { TestResponse } from '../response.ts';

const noGrant = { grant_type: 'refresh_token', refresh_token: 'A'.repeat(43) };

/** TK-07 to TK-10: the responses of the token endpoint. */
export const tokenResponseCases: Case[] = [
	hostCase('TK-07 sends responses and errors uncached, typed and with nosniff', async (at) => {
		const code = await at.user().code();
		const responses = [
			await at.exchange(code),
			await at.exchange(code),
			await at.token(''),
			await at.token({ ...noGrant, client_id: 'x' }),
			await at.get('/ws/oauth2/token/')
		];
		for (const response of responses) {
			equal(response.all('cache-control'), ['no-store']);
			equal(response.header('pragma'), 'no-cache');
			equal(response.header('x-content-type-options'), 'nosniff');
			matches(response.header('content-type'), /^application\/json; ?charset=utf-8$/i);
			matches(response.header('vary'), 'Accept');
		}
		for (const response of responses.slice(1)) {
			const keys = Object.keys(fieldsOf(response.json()));
			equal(keys, ['error', 'error_description']);
			matches(response.text, /^[\x20-\x7e]*$/);
		}
	}),
	testCase('TK-08 sends expires_in in whole seconds, token_type OAuth and scope', async (at) => {
		const tokens = await at.user().tokens(at.viewer, { scope: 'location_read character_read' });
		equal(tokens.expires_in, 3920);
		equal(tokens.token_type, 'OAuth');
		equal(tokens.scope.split(' ').sort(), ['character_read', 'location_read']);
		equal(Object.keys(tokens).sort(), ['access_token', 'expires_in', 'scope', 'token_type']);
		await at.changeSettings({ lifetimes: { access_token: 60 } });
		equal((await at.user().tokens()).expires_in, 60);
		await at.changeSettings({ strict: false });
		equal((await at.user().tokens()).token_type, 'Bearer', 'for libraries that know no other, when not strict');
	}),
	storeCase('TK-09 issues a refresh token at the first offline exchange only', async (at) => {
		const user = at.user();
		const offline = { access_type: 'offline' };
		equal((await user.tokens()).refresh_token, undefined, 'online');
		const { refresh_token = '' } = await user.tokens(at.viewer, offline);
		ok(refresh_token !== '', 'online first, then offline');
		equal((await user.tokens(at.viewer, offline)).refresh_token, undefined, 'offline again');
		equal((await user.tokens(at.viewer, { ...offline, scope: 'credits_read' })).refresh_token, undefined, 'wider');
		equal((await user.tokens()).refresh_token, undefined, 'online again');
		ok((await at.user('player-two').tokens(at.viewer, offline)).refresh_token !== undefined, 'another user');
		equal((await at.refresh(refresh_token)).status, 200, 'the first one is good still');
		await at.revoke(refresh_token);
		ok((await user.tokens(at.viewer, offline)).refresh_token !== undefined, 'after a revoke');
	}),
	storeCase('TK-09 issues one refresh token for two codes exchanged in parallel', async (at) => {
		const user = at.user();
		for (let round = 0; round < 5; round++) {
			const offline = { access_type: 'offline' };
			const codes = [await user.code(at.viewer, offline), await user.code(at.viewer, offline)];
			const responses = await Promise.all(codes.map((code) => at.exchange(code)));
			const refresh = responses.flatMap((response) => response.tokens.refresh_token ?? []);
			equal(refresh.length, 1);
			for (const response of responses) equal((await at.character(response.tokens.access_token)).status, 200);
			equal((await at.revoke(refresh[0] ?? '')).status, 200);
		}
	}),
	storeCase(
		'TK-09 issues one to an installed application at every offline exchange, requested in either place',
		async (at) => {
			const user = at.user();
			const seen = new Set<string>();
			for (let round = 0; round < 2; round++) {
				seen.add((await user.tokens(at.companion, { access_type: 'offline' })).refresh_token ?? '');
				const code = await user.code(at.companion);
				seen.add((await at.exchange(code, at.companion, { access_type: 'offline' })).tokens.refresh_token ?? '');
			}
			equal([seen.size, seen.has('')], [4, false]);
			for (const token of seen) equal((await at.refresh(token, at.companion)).status, 200);
			equal((await user.tokens(at.companion)).refresh_token, undefined, 'online');
			const web = await at.exchange(await user.code(), at.viewer, { access_type: 'offline' });
			equal(web.tokens.refresh_token, undefined, 'a web application asks at the authorization endpoint');
		}
	),
	hostCase(
		'TK-10 responds 204 to preflights of registered origins, uncounted and without credentials',
		async (at) => {
			const app = await at.register('web', ['https://App.example:443/cb', 'http://plain.example:80/cb']);
			ok(app.client_id !== '', 'registered');
			const preflight = (target: string, origin: string) => {
				const headers = ['Origin', origin, 'Access-Control-Request-Method', 'POST'];
				return at.send({ method: 'OPTIONS', target, headers });
			};
			for (const target of ['/ws/oauth2/token/', '/ws/oauth2/revoke', '/ws/v2.0/character/x', '/ws/v2.0/ratelimits']) {
				for (const origin of ['https://app.example', 'http://plain.example', new URL(at.base_url).origin]) {
					const response = await preflight(target, origin);
					equal([response.status, response.header('access-control-allow-origin')], [204, origin], target);
					matches(response.header('access-control-allow-headers'), /authorization/i);
					matches(response.header('access-control-allow-methods'), target.includes('token') ? 'POST' : 'GET');
					equal(response.header('access-control-allow-credentials'), undefined);
				}
				const foreign = await preflight(target, 'https://evil.example');
				equal([foreign.status, foreign.header('access-control-allow-origin')], [204, undefined]);
			}
			const { access_token } = await at.user().tokens();
			equal((await at.character(access_token)).limit.remaining, 599, 'OPTIONS was not counted');
		},
		['raw headers']
	),
	hostCase(
		'TK-10 sends the origin of the application with responses and errors, and exposes the rate limit',
		async (at) => {
			const app = await at.register('web', ['https://app.example/cb']);
			const other = await at.register('web', ['https://other.example/cb']);
			const ours = ['Origin', 'https://app.example'];
			const { access_token } = await at.user().tokens(app);
			const { client_id, client_secret } = app;
			const good = [
				await at.token({ ...noGrant, client_id, client_secret }, ...ours),
				await at.token({ ...noGrant, client_id, client_secret: 'wrong' }, ...ours),
				await at.token('', ...ours),
				await at.character(access_token, 'Mara Vell', ...ours),
				await at.character(access_token, 'Unknown', ...ours),
				await at.character('wrong', 'Mara Vell', ...ours),
				await at.get('/ws/v2.0/ratelimits', ...ours),
				await at.get('/ws/oauth2/revoke?token=x', ...ours)
			];
			for (const response of good) {
				equal(response.header('access-control-allow-origin'), 'https://app.example', response.text);
				matches(response.header('vary'), 'Origin');
				matches(response.header('access-control-expose-headers'), 'X-RateLimit-ResetTime');
			}
			const foreign = ['Origin', 'https://other.example'];
			const bad: TestResponse[] = [
				await at.token({ ...noGrant, client_id, client_secret }, ...foreign),
				await at.character(access_token, 'Mara Vell', ...foreign),
				await at.character(access_token, 'Mara Vell', 'Origin', 'null'),
				await at.revoke('x', other.client_id)
			];
			for (const response of bad) equal(response.header('access-control-allow-origin'), undefined, response.text);
		},
		['raw headers']
	),
	hostCase(
		'TK-10 RM-07 keeps the CORS headers of a fault, and applies no fault to a preflight',
		async (at) => {
			const { origin } = new URL(at.base_url);
			await at.controlled('POST', 'faults', { endpoint: 'token', kind: 'status', status: 503 });
			const preflight = await at.send({ method: 'OPTIONS', target: '/ws/oauth2/token/', headers: ['Origin', origin] });
			equal(preflight.status, 204);
			const spoilt = await at.token(noGrant, 'Origin', origin);
			equal([spoilt.status, spoilt.header('access-control-allow-origin')], [503, origin]);
		},
		['raw headers']
	)
];
