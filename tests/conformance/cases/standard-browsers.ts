import { equal, matches } from '../assert.ts';
import { signIn } from '../openid.ts';
import { codeWithPkce, query, registerClient, standardCase, verifier } from '../standard.ts';
import type { App, Sandbox } from '../sandbox.ts';
import type { TestResponse } from '../response.ts';
import * as v from 'valibot';

/** Redirect URIs of public clients, with an origin that is their own and some that are not. */
const clients: readonly (readonly [redirect_uri: string, own: string, ...others: string[]])[] = [
	['https://spa.example/cb', 'https://spa.example', 'https://spa.example:8443', 'http://spa.example', 'null'],
	['https://spa.example:8443/cb', 'https://spa.example:8443', 'https://spa.example', 'https://evil.example'],
	['http://localhost:6274/oauth/callback', 'http://localhost:6274', 'https://localhost:6274', 'http://localhost.x'],
	['http://127.0.0.1:5173/', 'http://127.0.0.1:5173', 'http://127.0.0.1:5174', 'http://127.0.0.1'],
	['http://[::1]:5173/cb', 'http://[::1]:5173', 'http://[::1]:5174', 'http://[::2]:5173'],
	['http://127.0.0.1/cb', 'http://127.0.0.1:5173', 'http://127.0.0.1.evil.example:5173', 'http://10.0.0.1:5173']
];

async function register(at: Sandbox, redirect_uri: string): Promise<App> {
	await at.changeSettings({ dynamic_registration: true });
	const wanted = { redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' };
	const { client_id } = (await registerClient(at, wanted)).as(v.object({ client_id: v.string() }));
	return { client_id, client_secret: '', redirect_uri };
}

function allowedOrigin(response: TestResponse): string | undefined {
	equal(response.header('access-control-allow-credentials'), undefined);
	return response.header('access-control-allow-origin');
}

/** Public clients that run in a browser. */
export const standardBrowserCases = [
	...clients.map(([redirect_uri, own, ...others]) =>
		standardCase(
			`ST-01 a public client at ${redirect_uri} reads the responses of the service, and no other origin does`,
			async (at) => {
				const app = await register(at, redirect_uri);
				const code = await codeWithPkce(at.user(), app, { scope: 'openid character_read' });
				const { client_id } = app;
				const form = { grant_type: 'authorization_code', code, client_id, redirect_uri, code_verifier: verifier };
				const response = await at.token(form, 'Origin', own);
				equal([response.status, allowedOrigin(response)], [200, own], response.text);
				const { access_token } = response.tokens;
				const bearer = ['Authorization', `Bearer ${access_token}`];
				const requests = (origin: string): readonly (() => Promise<TestResponse>)[] => [
					() => at.get('/ws/v2.0/character/Mara%20Vell', ...bearer, 'Origin', origin),
					() => at.get('/ws/oauth2/userinfo', ...bearer, 'Origin', origin),
					() => at.token({ grant_type: 'refresh_token', refresh_token: 'x', client_id }, 'Origin', origin),
					() => at.post('/ws/oauth2/revoke', { token: 'unknown', client_id }, 'Origin', origin)
				];
				for (const send of requests(own)) equal(allowedOrigin(await send()), own);
				for (const origin of others)
					for (const send of requests(origin)) equal(allowedOrigin(await send()), undefined, origin);
				for (const target of ['/ws/oauth2/token/', '/ws/oauth2/revoke', '/ws/oauth2/userinfo', '/ws/v2.0/ratelimits']) {
					const preflight = (origin: string) => at.send({ method: 'OPTIONS', target, headers: ['Origin', origin] });
					const allowed = await preflight(own);
					equal([allowed.status, allowedOrigin(allowed)], [204, own], target);
					for (const origin of others) {
						if (origin.startsWith('http://localhost:')) continue;
						equal(allowedOrigin(await preflight(origin)), undefined, `${target} ${origin}`);
					}
				}
			},
			['raw headers']
		)
	),
	standardCase(
		'ST-01 the responses for one application are not readable from the origin of another',
		async (at) => {
			const app = await register(at, 'https://spa.example/cb');
			await register(at, 'https://other.example/cb');
			const { access_token } = await signIn(at, {}, at.user(), at.viewer);
			const read = await at.get(
				'/ws/oauth2/userinfo',
				'Authorization',
				`Bearer ${access_token}`,
				'Origin',
				'https://spa.example'
			);
			equal([read.status, allowedOrigin(read)], [200, undefined]);
			const sent = { grant_type: 'refresh_token', refresh_token: 'x', client_id: app.client_id };
			equal(allowedOrigin(await at.token(sent, 'Origin', 'https://other.example')), undefined);
		},
		['raw headers']
	),
	standardCase(
		'ST-01 installed applications of the specification have no origin',
		async (at) => {
			await at.changeSettings({ dialect: 'specification' });
			const headers = ['Origin', 'http://localhost:5173'];
			const response = await at.send({ method: 'OPTIONS', target: '/ws/oauth2/token/', headers });
			equal(allowedOrigin(response), undefined);
		},
		['raw headers']
	),
	standardCase(
		'ST-01 metadata is readable from all origins, also before a client is registered',
		async (at) => {
			for (const document of ['openid-configuration', 'oauth-authorization-server', 'oauth-protected-resource']) {
				const response = await at.get(`/.well-known/${document}${query({ x: '1' })}`, 'Origin', 'https://new.example');
				equal([response.status, allowedOrigin(response)], [200, '*']);
			}
			const headers = ['Origin', 'https://new.example', 'Access-Control-Request-Headers', 'mcp-protocol-version'];
			const target = '/.well-known/oauth-authorization-server';
			const preflight = await at.send({ method: 'OPTIONS', target, headers });
			matches(preflight.header('access-control-allow-headers'), /mcp-protocol-version/i);
		},
		['raw headers']
	)
];
