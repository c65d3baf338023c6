import { defined, equal, lacks, matches, ok } from '../assert.ts';
import { testCase } from '../case.ts';
import {
	getAtOrigin,
	pkce,
	readCharacter,
	registerClient,
	standardCase,
	standardHostCase,
	standardStoreCase,
	standardTokens
} from '../standard.ts';
import type { Sandbox } from '../sandbox.ts';

const character = '/ws/v2.0/character/Mara%20Vell';
const badUris: readonly (readonly [name: string, uri: string])[] = [
	['a script', 'javascript:alert(1)'],
	['a data URI', 'data:text/html,hello'],
	['plain HTTP to another machine', 'http://client.example/callback'],
	['a fragment', 'https://client.example/callback#x'],
	['a wildcard', 'https://*.client.example/callback'],
	['the name of a user', 'https://user@client.example/callback'],
	['a port over 65535', 'https://client.example:99999/callback'],
	['a query with state', 'https://client.example/callback?state=fixed'],
	['a query with an encoded code', 'https://client.example/callback?a=1&c%6Fde=x'],
	['a query with iss', 'https://client.example/callback?iss'],
	['a scheme of a system', 'ms-settings:privacy'],
	['a file', 'file:///etc/hosts'],
	['a scheme without more', 'com.example.app:'],
	['another IPv6 address', 'http://[::2]/callback']
];

/** Redirect URIs of installed applications. */
const installedUris = ['com.example.app:/callback', 'com.example.app://callback?tenant=1', 'cursor://auth/callback'];

async function allowRegistration(at: Sandbox): Promise<void> {
	await at.changeSettings({ dynamic_registration: true });
}

/** Resources, limits, metadata and registration in the dialect of today's standards. */
export const standardResourceCases = [
	standardCase('a resource takes Bearer, in any letter case', async (at) => {
		const { access_token } = await standardTokens(at);
		equal((await readCharacter(at, access_token)).status, 200);
		equal((await at.get(character, 'Authorization', `bearer ${access_token}`)).status, 200);
	}),
	standardCase('the scheme OAuth is rejected, with a challenge without error', async (at) => {
		const { access_token } = await standardTokens(at);
		const response = await at.character(access_token);
		equal(response.status, 401);
		matches(response.header('www-authenticate'), /^Bearer realm="[^"]*", resource_metadata="/, 'the challenge');
	}),
	standardCase('a token in the query is rejected', async (at) => {
		const { access_token } = await standardTokens(at);
		const response = await at.get(`${character}?access_token=${access_token}`);
		equal([response.status, response.error], [400, 'invalid_request']);
		matches(response.header('www-authenticate'), 'error="invalid_request"', 'the challenge');
		lacks(await at.traffic(), access_token, 'the log');
	}),
	standardCase('a request without a token gets a challenge without error', async (at) => {
		const response = await at.get(character);
		equal(response.status, 401);
		lacks(response.header('www-authenticate') ?? '', 'error=', 'the challenge');
	}),
	standardCase('a wrong token gets a challenge with invalid_token', async (at) => {
		const response = await readCharacter(at, 'x'.repeat(43));
		equal(response.status, 401);
		matches(response.header('www-authenticate'), /^Bearer realm=.*error="invalid_token".*resource_metadata="/);
	}),
	standardCase('the challenge links the metadata of the resource, which names it', async (at) => {
		const challenge = (await at.get(character)).header('www-authenticate');
		const url = defined(/resource_metadata="([^"]*)"/.exec(challenge ?? '')?.[1], 'resource_metadata');
		const response = await at.sendToOrigin(url.slice(at.transport.origin.length));
		equal(response.status, 200);
		const { resource, authorization_servers } = Object(response.json());
		equal([resource, authorization_servers], [`${at.base_url}${character}`, [at.base_url]]);
	}),
	standardCase('a missing permission gets insufficient_scope', async (at) => {
		await at.changeSettings({ dialect: 'specification' });
		const { access_token } = await at.user().tokens(at.viewer, { scope: 'credits_read' });
		await at.changeSettings({ dialect: 'standard' });
		const response = await readCharacter(at, access_token);
		equal(response.status, 403);
		matches(response.header('www-authenticate'), /^Bearer .*error="insufficient_scope"/);
	}),
	standardCase('responses have the RateLimit fields and the four older headers', async (at) => {
		const { access_token } = await standardTokens(at);
		const response = await readCharacter(at, access_token);
		const pk = `pk=:${btoa(defined(response.header('x-tollgate-address'), 'the address'))}:`;
		equal(response.header('ratelimit-policy'), `"character";q=600;qu="requests";w=3600;${pk}`);
		matches(response.header('ratelimit'), /^"character";r=599;t=(?:3600|35\d\d);pk=:[A-Za-z0-9+/]+=*:$/);
		equal(response.limit.remaining, 599);
	}),
	standardCase('over the limit the status is 429 with Retry-After', async (at) => {
		const { access_token } = await standardTokens(at);
		await at.changeSettings({ limits: { character: 1 } });
		await readCharacter(at, access_token);
		const response = await readCharacter(at, access_token);
		equal([response.status, response.error], [429, 'rate_limit_exceeded']);
		const wait = Number(defined(response.header('retry-after'), 'Retry-After'));
		ok(Number.isInteger(wait) && wait >= 1 && wait <= 3600, `Retry-After: ${wait}`);
		await at.advance(wait);
		equal((await readCharacter(at, access_token)).status, 200);
	}),
	standardCase('a rate limit fault is 429 with Retry-After', async (at) => {
		const { access_token } = await standardTokens(at);
		await at.fault({ kind: 'rate_limited', endpoint: 'character' });
		const response = await readCharacter(at, access_token);
		equal(response.status, 429);
		ok(response.header('retry-after') !== undefined, 'Retry-After');
	}),
	standardCase('the other resource has its own policy', async (at) => {
		const { access_token } = await standardTokens(at);
		const response = await at.get('/ws/v2.0/ratelimits', 'Authorization', `Bearer ${access_token}`);
		const partition = `pk=:${btoa(defined(response.header('x-tollgate-address'), 'the address'))}:`;
		equal(
			[response.status, response.header('ratelimit-policy')],
			[200, `"ratelimits";q=150;qu="requests";w=3600;${partition}`]
		);
	}),
	standardHostCase('the metadata of the server is at both places', async (at) => {
		const below = await at.get('/.well-known/oauth-authorization-server');
		const atOrigin = await getAtOrigin(at, 'oauth-authorization-server');
		equal([below.status, atOrigin.status], [200, 200]);
		equal(below.json(), atOrigin.json());
		const { issuer, token_endpoint, code_challenge_methods_supported, registration_endpoint } = Object(below.json());
		equal(
			[issuer, token_endpoint, code_challenge_methods_supported, registration_endpoint],
			[at.base_url, `${at.base_url}/ws/oauth2/token/`, ['S256'], undefined]
		);
	}),
	standardCase(
		'all scripts may read metadata',
		async (at) => {
			const response = await at.get('/.well-known/oauth-authorization-server', 'Origin', 'https://any.example');
			equal(response.header('access-control-allow-origin'), '*');
		},
		['raw headers']
	),
	standardHostCase('metadata is not changed by other methods', async (at) => {
		const response = await at.post('/.well-known/oauth-authorization-server', {});
		equal([response.status, response.header('allow')], [405, 'GET, HEAD']);
	}),
	standardHostCase('the metadata of a path that is no resource is not found', async (at) => {
		equal((await getAtOrigin(at, 'oauth-protected-resource', '/control/status')).status, 404);
		equal((await at.get('/.well-known/oauth-protected-resource')).status, 200);
		equal((await at.get('/.well-known/security.txt')).status, 404);
	}),
	standardHostCase('the metadata of an unknown sandbox is not found', async (at) => {
		equal((await at.sendToOrigin('/.well-known/oauth-authorization-server/~unknown')).status, 404);
	}),
	testCase('the specification has no metadata, introspection and registration', async (at) => {
		equal((await at.get('/.well-known/oauth-authorization-server')).status, 404);
		equal((await getAtOrigin(at, 'oauth-protected-resource')).status, 404);
		equal((await at.post('/ws/oauth2/introspect', { token: 'x' })).status, 404);
		equal((await registerClient(at, { redirect_uris: ['https://client.example/'] })).status, 404);
	}),
	standardCase('registration is off until its owner allows it', async (at) => {
		const response = await registerClient(at, { redirect_uris: ['https://client.example/callback'] });
		equal([response.status, await at.failedCheck(response)], [403, 'register.enabled']);
		await allowRegistration(at);
		const metadata = Object((await at.get('/.well-known/oauth-authorization-server')).json());
		equal(metadata.registration_endpoint, `${at.base_url}/ws/oauth2/register`);
	}),
	standardCase('a client registers itself with a secret, and gets tokens', async (at) => {
		await allowRegistration(at);
		const redirect_uri = 'https://client.example/callback';
		const response = await registerClient(at, { client_name: 'Mine', redirect_uris: [redirect_uri] });
		equal(response.status, 201);
		const { client_id, client_secret } = Object(response.json());
		await standardTokens(at, at.user(), { client_id, client_secret, redirect_uri });
		lacks(await at.traffic(), client_secret, 'the log');
	}),
	standardCase('a client registers itself without a secret as an installed application', async (at) => {
		await allowRegistration(at);
		const redirect_uris = ['http://127.0.0.1/callback'];
		const response = await registerClient(at, { redirect_uris, token_endpoint_auth_method: 'none' });
		const { client_id, client_secret } = Object(response.json());
		equal([response.status, client_secret], [201, undefined]);
		const { applications } = Object((await at.controlled('GET', 'applications')).json());
		const found = applications.find((one: { client_id: string }) => one.client_id === client_id);
		equal([found.kind, found.redirect_uris], ['installed', redirect_uris]);
	}),
	...badUris.map(([name, uri]) =>
		standardCase(`a client cannot register ${name}`, async (at) => {
			await allowRegistration(at);
			for (const token_endpoint_auth_method of ['none', 'client_secret_basic']) {
				const response = await registerClient(at, { redirect_uris: [uri], token_endpoint_auth_method });
				equal([response.status, response.error], [400, 'invalid_redirect_uri']);
			}
		})
	),
	...installedUris.map((redirect_uri) =>
		standardCase(`ST-04 an installed application registers ${redirect_uri}, and gets its code there`, async (at) => {
			await allowRegistration(at);
			const uris = { redirect_uris: [redirect_uri] };
			equal((await registerClient(at, uris)).error, 'invalid_redirect_uri', 'a web application');
			const response = await registerClient(at, { ...uris, token_endpoint_auth_method: 'none' });
			equal(response.status, 201, response.text);
			const { client_id } = Object(response.json());
			const app = { client_id, client_secret: '', redirect_uri };
			const page = await at.user().openConsent(app, pkce);
			matches(page.header('content-security-policy'), `${redirect_uri.split(':')[0] ?? ''}:`, 'the policy');
			const { location } = await at.user().allow(app, pkce);
			ok(location.startsWith(`${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}code=`), location);
		})
	),
	standardCase('ST-04 a loopback address of IPv6 is registered with and without a secret', async (at) => {
		await allowRegistration(at);
		const redirect_uris = ['http://[::1]:8080/callback'];
		equal((await registerClient(at, { redirect_uris, token_endpoint_auth_method: 'none' })).status, 201);
		const response = await registerClient(at, { redirect_uris });
		const { client_id, client_secret } = Object(response.json());
		await standardTokens(at, at.user(), { client_id, client_secret, redirect_uri: redirect_uris[0] ?? '' });
	}),
	standardCase('ST-04 fields that are null count as absent', async (at) => {
		await allowRegistration(at);
		const nothing = { client_name: null, token_endpoint_auth_method: null, grant_types: null, response_types: null };
		const after = { post_logout_redirect_uris: null, client_secret: null, scope: null };
		const response = await registerClient(at, { redirect_uris: ['https://a.example/'], ...nothing, ...after });
		const { token_endpoint_auth_method, client_secret } = Object(response.json());
		equal([response.status, token_endpoint_auth_method], [201, 'client_secret_basic']);
		ok(typeof client_secret === 'string', 'it has a secret');
		equal((await registerClient(at, { redirect_uris: null })).error, 'invalid_redirect_uri');
	}),
	standardCase('hostile metadata is rejected', async (at) => {
		await allowRegistration(at);
		const uris = { redirect_uris: ['https://client.example/callback'] };
		const hostile = [
			'',
			'null',
			'[]',
			'{',
			{ redirect_uris: 'https://client.example/' },
			{ ...uris, client_name: 7 },
			{ ...uris, token_endpoint_auth_method: 'private_key_jwt' },
			{ ...uris, grant_types: ['password'] },
			{ ...uris, response_types: ['token'] }
		];
		for (const metadata of hostile) equal((await registerClient(at, metadata)).error, 'invalid_client_metadata');
		for (const none of [{}, { redirect_uris: [] }])
			equal((await registerClient(at, none)).error, 'invalid_redirect_uri');
		const many = Array.from({ length: 11 }, (_, n) => `https://client.example/${n}`);
		equal((await registerClient(at, { redirect_uris: many })).error, 'invalid_redirect_uri');
	}),
	standardCase('a hostile name is shown as inert text', async (at) => {
		await allowRegistration(at);
		const client_name = `<script>alert(1)</script>\u202e${'x'.repeat(500)}`;
		const response = await registerClient(at, { redirect_uris: ['https://client.example/callback'], client_name });
		const shown = Object(response.json()).client_name;
		ok(shown.length <= 80 && !shown.includes('\u202e'), shown);
	}),
	standardStoreCase('20 clients register themselves, and no more', async (at) => {
		await allowRegistration(at);
		const statuses: number[] = [];
		for (let n = 0; n < 21; n++) {
			const { status } = await registerClient(at, { redirect_uris: [`https://client.example/${n}`] });
			statuses.push(status);
		}
		equal(statuses, [...Array.from({ length: 20 }, () => 201), 429]);
	}),
	standardCase('the trace names sections of RFCs, not of the specification', async (at) => {
		const { access_token, refresh_token } = await standardTokens(at);
		await readCharacter(at, access_token);
		await readCharacter(at, 'wrong');
		await at.post('/ws/oauth2/revoke', { token: refresh_token }, 'Authorization', 'Basic eA==');
		const { entries } = Object((await at.controlled('GET', 'traffic?limit=500')).json());
		const house = entries.flatMap((entry: { trace: { id: string; section: string }[] }) =>
			entry.trace.filter(({ section }) => section !== '' && !section.startsWith('RFC ')).map(({ id }) => id)
		);
		const ofTheService = [
			'address.not_blacklisted',
			'address.header_is_valid',
			'character.exists',
			'character.name_valid'
		];
		equal(
			[...new Set(house)].filter((id) => !ofTheService.includes(String(id))),
			[]
		);
	})
];
