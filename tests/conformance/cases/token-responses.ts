import { equal, fieldsOf, matches, ok } from '../assert.ts';
import { shows, type Case } from '../case.ts';
import type { Reply } from '../response.ts';

const noGrant = { grant_type: 'refresh_token', refresh_token: 'A'.repeat(43) };

/** TK-07 to TK-10: what the token endpoint answers. */
export const tokenAnswerCases: Case[] = [
	shows('TK-07 answers and errors are stored by nobody, typed and sniffed by nobody', async (at) => {
		const code = await at.person().code();
		const replies = [
			await at.exchange(code),
			await at.exchange(code),
			await at.token(''),
			await at.token({ ...noGrant, client_id: 'x' }),
			await at.get('/ws/oauth2/token/')
		];
		for (const reply of replies) {
			equal(reply.all('cache-control'), ['no-store']);
			equal(reply.header('pragma'), 'no-cache');
			equal(reply.header('x-content-type-options'), 'nosniff');
			matches(reply.header('content-type'), /^application\/json; ?charset=utf-8$/i);
			matches(reply.header('vary'), 'Accept');
		}
		for (const reply of replies.slice(1)) {
			const keys = Object.keys(fieldsOf(reply.json()));
			equal(keys, ['error', 'error_description']);
			matches(reply.text, /^[\x20-\x7e]*$/);
		}
	}),
	shows('TK-08 expires_in is a whole number of seconds, token_type OAuth, scope is there', async (at) => {
		const tokens = await at.person().tokens(at.viewer, { scope: 'location_read character_read' });
		equal(tokens.expires_in, 3920);
		equal(tokens.token_type, 'OAuth');
		equal(tokens.scope.split(' ').sort(), ['character_read', 'location_read']);
		equal(Object.keys(tokens).sort(), ['access_token', 'expires_in', 'scope', 'token_type']);
		await at.set({ lifetimes: { access_token: 60 } });
		equal((await at.person().tokens()).expires_in, 60);
		await at.set({ strict: false });
		equal((await at.person().tokens()).token_type, 'Bearer', 'for libraries that know no other, when not strict');
	}),
	shows('TK-09 a refresh token comes with the first offline exchange, and with no other', async (at) => {
		const person = at.person();
		const offline = { access_type: 'offline' };
		equal((await person.tokens()).refresh_token, undefined, 'online');
		const { refresh_token = '' } = await person.tokens(at.viewer, offline);
		ok(refresh_token !== '', 'online first, then offline');
		equal((await person.tokens(at.viewer, offline)).refresh_token, undefined, 'offline again');
		equal((await person.tokens(at.viewer, { ...offline, scope: 'credits_read' })).refresh_token, undefined, 'wider');
		equal((await person.tokens()).refresh_token, undefined, 'online again');
		ok((await at.person('player-two').tokens(at.viewer, offline)).refresh_token !== undefined, 'another person');
		equal((await at.refresh(refresh_token)).status, 200, 'the first one is good still');
		await at.revoke(refresh_token);
		ok((await person.tokens(at.viewer, offline)).refresh_token !== undefined, 'after a revoke');
	}),
	shows('TK-09 of two codes redeemed at once exactly one brings the refresh token', async (at) => {
		const person = at.person();
		for (let round = 0; round < 5; round++) {
			const offline = { access_type: 'offline' };
			const codes = [await person.code(at.viewer, offline), await person.code(at.viewer, offline)];
			const replies = await Promise.all(codes.map((code) => at.exchange(code)));
			const refresh = replies.flatMap((reply) => reply.tokens.refresh_token ?? []);
			equal(refresh.length, 1);
			for (const reply of replies) equal((await at.character(reply.tokens.access_token)).status, 200);
			equal((await at.revoke(refresh[0] ?? '')).status, 200);
		}
	}),
	shows('TK-09 an installed application gets one at every offline exchange, asked for in either place', async (at) => {
		const person = at.person();
		const seen = new Set<string>();
		for (let round = 0; round < 2; round++) {
			seen.add((await person.tokens(at.companion, { access_type: 'offline' })).refresh_token ?? '');
			const code = await person.code(at.companion);
			seen.add((await at.exchange(code, at.companion, { access_type: 'offline' })).tokens.refresh_token ?? '');
		}
		equal([seen.size, seen.has('')], [4, false]);
		for (const token of seen) equal((await at.refresh(token, at.companion)).status, 200);
		equal((await person.tokens(at.companion)).refresh_token, undefined, 'online');
		const web = await at.exchange(await person.code(), at.viewer, { access_type: 'offline' });
		equal(web.tokens.refresh_token, undefined, 'a web application asks at the authorization endpoint');
	}),
	shows(
		'TK-10 a preflight is answered 204, uncounted and without credentials, for registered origins',
		async (at) => {
			const app = await at.register('web', ['https://App.example:443/cb', 'http://plain.example:80/cb']);
			ok(app.client_id !== '', 'registered');
			const preflight = (target: string, origin: string) => {
				const headers = ['Origin', origin, 'Access-Control-Request-Method', 'POST'];
				return at.send({ method: 'OPTIONS', target, headers });
			};
			for (const target of ['/ws/oauth2/token/', '/ws/oauth2/revoke', '/ws/v2.0/character/x', '/ws/v2.0/ratelimits']) {
				for (const origin of ['https://app.example', 'http://plain.example', new URL(at.base_url).origin]) {
					const reply = await preflight(target, origin);
					equal([reply.status, reply.header('access-control-allow-origin')], [204, origin], target);
					matches(reply.header('access-control-allow-headers'), /authorization/i);
					matches(reply.header('access-control-allow-methods'), target.includes('token') ? 'POST' : 'GET');
					equal(reply.header('access-control-allow-credentials'), undefined);
				}
				const foreign = await preflight(target, 'https://evil.example');
				equal([foreign.status, foreign.header('access-control-allow-origin')], [204, undefined]);
			}
			const { access_token } = await at.person().tokens();
			equal((await at.character(access_token)).limit.remaining, 599, 'OPTIONS was not counted');
		},
		['raw headers']
	),
	shows(
		'TK-10 answers and errors carry the origin of the application itself, and expose the limit',
		async (at) => {
			const app = await at.register('web', ['https://app.example/cb']);
			const other = await at.register('web', ['https://other.example/cb']);
			const ours = ['Origin', 'https://app.example'];
			const { access_token } = await at.person().tokens(app);
			const { client_id, client_secret } = app;
			const good = [
				await at.token({ ...noGrant, client_id, client_secret }, ...ours),
				await at.token({ ...noGrant, client_id, client_secret: 'wrong' }, ...ours),
				await at.token('', ...ours),
				await at.character(access_token, 'Mara Vell', ...ours),
				await at.character(access_token, 'Nobody', ...ours),
				await at.character('wrong', 'Mara Vell', ...ours),
				await at.get('/ws/v2.0/ratelimits', ...ours),
				await at.get('/ws/oauth2/revoke?token=x', ...ours)
			];
			for (const reply of good) {
				equal(reply.header('access-control-allow-origin'), 'https://app.example', reply.text);
				matches(reply.header('vary'), 'Origin');
				matches(reply.header('access-control-expose-headers'), 'X-RateLimit-ResetTime');
			}
			const foreign = ['Origin', 'https://other.example'];
			const bad: Reply[] = [
				await at.token({ ...noGrant, client_id, client_secret }, ...foreign),
				await at.character(access_token, 'Mara Vell', ...foreign),
				await at.character(access_token, 'Mara Vell', 'Origin', 'null'),
				await at.revoke('x', other.client_id)
			];
			for (const reply of bad) equal(reply.header('access-control-allow-origin'), undefined, reply.text);
		},
		['raw headers']
	),
	shows(
		'TK-10 RM-07 a fault keeps the headers that let a script read it, and is not spent on a preflight',
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
