import type { Signer } from '#features/request-builder/signer.ts';
import { pocketCompanion } from '#client/demo-clients.ts';
import { characterPath } from '#client/service-urls.ts';
import { orNoResponse, type Reply, type Script, type ScriptedClient } from './scripted-client.ts';

const offline = { access_type: 'offline' };
const narrow = 'character_read';
const wide = 'character_read location_read';
/** In seconds. */
const twoHours = 7200;

/** Few lessons sign something, so the others do not load what does. In a browser it signs with the keys of the page. */
async function signerOf({ control }: ScriptedClient): Promise<Signer> {
	const { Signer } = await import('#features/request-builder/signer.ts');
	return new Signer(control, globalThis.sessionStorage);
}

const signedIn = async (client: ScriptedClient) => (await client.signIn()).field('access_token');
const post = (client: ScriptedClient, path: string, fields: Readonly<Record<string, string>>, headers = {}) =>
	client.send(client.baseUrl + path, { method: 'POST', body: new URLSearchParams(fields), headers });
const change = (client: ScriptedClient, settings: object) =>
	client.control.request('PATCH /control/settings', { body: settings });

/** Opens the authorization endpoint in a browser without a session. */
const open = (client: ScriptedClient, query: Readonly<Record<string, string>>) =>
	client.send(`${client.baseUrl}/ws/oauth2/auth/?${new URLSearchParams(query).toString()}`, {
		headers: { accept: 'text/html' }
	});

/** Ends all live access tokens of the sandbox. */
async function endAccessTokens({ control }: ScriptedClient): Promise<void> {
	const { grants } = await control.request('GET /control/credentials');
	for (const { id } of grants.flatMap(({ access_tokens }) => access_tokens))
		await control.request('DELETE /control/credentials/{kind}/{id}', { path: { kind: 'access_tokens', id } });
}

/** Reads the character as often as one press of the load tool does, all at once. */
const readAtOnce = (client: ScriptedClient, token: string) =>
	Promise.all(Array.from({ length: 20 }, () => client.character(token)));

/** Sends a form of a page of the service, as its user. */
async function submit(client: ScriptedClient, path: string, fields: Readonly<Record<string, string>>): Promise<void> {
	const page = await client.send(client.baseUrl + path, { headers: { accept: 'text/html' } });
	const csrf_token = /csrf_token":"([^"]*)"|name="csrf_token" value="([^"]*)"/.exec(page.text)?.slice(1).join('') ?? '';
	await post(client, path, { ...fields, csrf_token }, { accept: 'text/html' });
}

/** Sends requests until the window is used up, and moves to the reset that the rejected ones wait for. */
async function waitForReset(client: ScriptedClient, token: string): Promise<void> {
	const { headers } = await client.read(token, 20);
	await client.advance(Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date') ?? '') / 1000 + 1);
}

/** One request, a burst before the hour is over, and one after it. */
async function burst(client: ScriptedClient, token: string): Promise<void> {
	await client.read(token, 1);
	await client.advance(55 * 60);
	await client.read(token, 20);
	await client.advance(6 * 60);
	await client.read(token, 20);
}

/** The runs of the lessons, by id. Each meets all conditions, in the order of its steps. */
export const scripts: Readonly<Record<string, Script>> = {
	'whole-trip': async (client) => {
		await client.character(await signedIn(client));
	},
	'one-letter-off': async (client) => {
		const { client_id, redirect_uri: uri } = client.viewer;
		const [scheme, other] = uri.startsWith('https:') ? ['https:', 'http:'] : ['http:', 'https:'];
		const query = { response_type: 'code', scope: narrow, state: 's' };
		for (const redirect_uri of [`${uri}/`, uri.replace('callback', 'Callback'), uri.replace(scheme, other)])
			await open(client, { ...query, client_id, redirect_uri });
		for (const redirect_uri of ['http://localhost:4180', 'http://localhost:4181'])
			await open(client, { ...query, client_id: pocketCompanion(redirect_uri).client_id, redirect_uri });
	},
	'asking-for-less': async (client) => {
		await client.signIn();
		await client.signIn();
		await client.signIn({ scope: 'location_read' });
		await client.signIn({ scope: 'location_read', renew_previously_granted: 'yes' });
	},
	'uninvited-code': async (client) => {
		const link = async () => {
			const code = await client.code({}, client.viewer, { username: 'player-three' });
			await client.openLink(code);
			return code;
		};
		await client.character((await client.exchange(await link())).field('access_token'), '100% Orc');
		await link();
		await client.signIn();
	},
	'once-too-often': async (client) => {
		const code = await client.code(offline);
		const token = (await client.exchange(code)).field('access_token');
		await client.character(token);
		await client.exchange(code);
		await client.character(token);
	},
	'online-and-offline': async (client) => {
		await client.signIn();
		const { refresh_token } = await client.signInOffline();
		await client.signInOffline();
		await client.advance(twoHours);
		await client.refresh(refresh_token);
	},
	'one-refresh-for-all': async (client) => {
		const { access_token, refresh_token } = await client.signInOffline();
		const refreshed = async () => (await client.refresh(refresh_token)).field('access_token');
		await readAtOnce(client, access_token);
		await endAccessTokens(client);
		// Each one meets the ended token, and refreshes on its own.
		const each = async () => {
			await client.character(access_token);
			await client.character(await refreshed());
		};
		await Promise.all([each(), each(), each(), each()]);
		const shared = await refreshed();
		await endAccessTokens(client);
		await readAtOnce(client, shared);
		await readAtOnce(client, await refreshed());
	},
	'token-in-a-url': async (client) => {
		const { access_token, refresh_token } = await client.signInOffline();
		const byQuery = () => client.send(`${client.baseUrl}${characterPath('Mara Vell')}?access_token=${access_token}`);
		await byQuery();
		await client.character(access_token);
		await client.revoke(refresh_token);
		await byQuery();
	},
	'taking-it-back': async (client) => {
		const { refresh_token } = await client.signInOffline();
		await client.advance(twoHours);
		await client.refresh(refresh_token);
		await client.revoke(refresh_token);
		await client.refresh(refresh_token);
		const { access_token } = await client.signInOffline();
		await submit(client, '/account', { action: 'sign-in', username: 'player-one', password: 'demo' });
		await submit(client, '/account', { action: 'revoke', client_id: client.viewer.client_id });
		await submit(client, '/account', { action: 'sign-out' });
		await client.character(access_token);
	},
	'reading-the-limits': async (client) => {
		const token = await signedIn(client);
		const { headers } = await client.read(token, 5);
		await client.rateLimits(token);
		const seconds = Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date') ?? '') / 1000;
		client.enter('calls_left', headers.get('x-ratelimit-remaining') ?? '');
		client.enter('seconds_until_reset', String(seconds));
	},
	'slow-is-fast': async (client) => {
		const token = await signedIn(client);
		await client.read(token, 25);
		for (const count of [20, 20]) {
			await client.advance(11);
			await client.read(token, count);
		}
	},
	blacklisted: async (client) => {
		const token = await signedIn(client);
		// The limit, what the blacklist tolerates, and one more.
		for (let call = 0; call < 20 + 30 + 1; call++) await orNoResponse(client.character(token));
		await client.rateLimiting();
		const { id } = await client.control.request('POST /control/tickets', {
			body: { reason: 'A test loop did not stop at the limit.', resolution: 'The loop now waits for the reset.' }
		});
		await client.control.request('POST /control/tickets/{id}', {
			path: { id },
			body: { decision: 'unblock', reply: 'Please read the headers.' }
		});
		await client.character(token);
	},
	'window-edge': async (client) => {
		const token = await signedIn(client);
		await burst(client, token);
		await change(client, { limit_algorithm: 'sliding_log' });
		await burst(client, token);
	},
	herd: async (client) => {
		const token = await signedIn(client);
		await waitForReset(client, token);
		await client.read(token, 15);
		await client.advance(20);
		await waitForReset(client, token);
		for (let call = 0; call < 15; call++) {
			await client.character(token);
			if (call % 2 === 1) await client.advance(1);
		}
	},
	cost: async (client) => {
		const token = await signedIn(client);
		for (const name of ['Mara Vell', 'Test Slow', 'Test Slow', 'Mara Vell']) await client.character(token, name);
	},
	'shared-key': async (client) => {
		await client.read(await signedIn(client), 20);
		const other = await client.signIn({}, client.viewer, { username: 'player-two' });
		const token = other.field('access_token');
		await client.character(token);
		await client.send(client.baseUrl + characterPath('Mara Vell'), {
			headers: { authorization: `OAuth ${token}`, 'x-tollgate-address': '192.0.2.200' }
		});
	},
	'no-secrets-on-a-laptop': async (client) => {
		const onPort = pocketCompanion('http://localhost:50123');
		const withPkce = async () => {
			const { code_verifier, code_challenge } = await client.pkce();
			return { code: await client.code({ code_challenge, code_challenge_method: 'S256' }, onPort), code_verifier };
		};
		await client.signIn({}, client.companion);
		// The thief, first without PKCE, then with it.
		await client.signIn({}, onPort);
		await client.exchange((await withPkce()).code, onPort);
		const { code, code_verifier } = await withPkce();
		await client.exchange(code, onPort, { code_verifier });
	},
	'device-codes': async (client) => {
		const { client_id } = client.companion;
		const codes = await post(client, '/ws/oauth2/device_authorization', { client_id, scope: narrow });
		const [device_code, user_code] = [codes.field('device_code'), codes.field('user_code')];
		const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
		const poll = () => client.token({ grant_type, device_code, client_id });
		await poll();
		await poll();
		const page = `/ws/oauth2/device?user_code=${user_code}`;
		await submit(client, page, { user_code, username: 'player-one', password: 'demo' });
		await submit(client, page, { user_code, decision: 'approve' });
		await poll();
	},
	'bound-token': async (client) => {
		const { client_id, client_secret } = client.viewer;
		const signer = await signerOf(client);
		const path = '/ws/oauth2/token/';
		const fields = { grant_type: 'client_credentials', client_id, client_secret, scope: narrow };
		const DPoP = await signer.proof({ method: 'POST', url: client.baseUrl + path });
		const accessToken = (await post(client, path, fields, { DPoP })).field('access_token');
		const url = client.baseUrl + characterPath('Mara Vell');
		const proof = await signer.proof({ method: 'GET', url, accessToken });
		for (const headers of [{ DPoP: proof }, { DPoP: proof }, {}])
			await client.send(url, { headers: { authorization: `DPoP ${accessToken}`, ...headers } });
	},
	'token-exchange': async (client) => {
		const { client_id, client_secret } = client.viewer;
		const type = 'urn:ietf:params:oauth:token-type:access_token';
		const own = await client.token({ grant_type: 'client_credentials', client_id, client_secret });
		const exchange = async (subject_token: string, scope: string, actor = {}): Promise<string> => {
			const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
			const sent = { grant_type, subject_token, subject_token_type: type, scope, audience: 'https://helper.example' };
			return (await client.token({ ...sent, ...actor, client_id, client_secret })).field('access_token');
		};
		const introspect = (token: string) => post(client, '/ws/oauth2/introspect', { token, client_id, client_secret });
		const { code_challenge, code_verifier } = await client.pkce();
		const code = await client.code({ scope: wide, code_challenge, code_challenge_method: 'S256' });
		const user = (await client.exchange(code, client.viewer, { code_verifier })).field('access_token');
		const token = await exchange(user, narrow, { actor_token: own.field('access_token'), actor_token_type: type });
		await introspect(token);
		await client.control.request('PATCH /control/applications/{client_id}', {
			path: { client_id },
			body: { token_exchange: 'impersonation' }
		});
		const impersonated = await exchange(token, narrow);
		await introspect(impersonated);
		await exchange(impersonated, wide);
	},
	'pushed-request': async (client) => {
		const { client_id, client_secret, redirect_uri } = client.viewer;
		const { code_challenge } = await client.pkce();
		const pkce = { code_challenge, code_challenge_method: 'S256' };
		const fields = {
			response_type: 'code',
			client_id,
			client_secret,
			redirect_uri,
			scope: narrow,
			state: 's',
			...pkce
		};
		const request_uri = (await post(client, '/ws/oauth2/par', fields)).field('request_uri');
		await open(client, { client_id, request_uri, scope: wide });
		const none = undefined;
		await client.authorize({ request_uri, response_type: none, redirect_uri: none, scope: none, state: none });
		await open(client, { client_id, request_uri });
	},
	'signed-client': async (client) => {
		const { client_id, client_secret } = client.viewer;
		const grant_type = 'client_credentials';
		const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
		const send = (client_assertion: string): Promise<Reply> =>
			client.token({ grant_type, client_id, client_assertion_type, client_assertion });
		const signer = await signerOf(client);
		await signer.registerKey(client_id);
		const sent = await signer.assertion(client_id);
		await send(sent);
		await client.token({ grant_type, client_id, client_secret });
		await send(sent);
		await send(await signer.assertion(client_id, 'wrong aud'));
		await signer.registerKey(client_id);
		await send(await signer.assertion(client_id, 'old key'));
	},
	'same-client': async (client) => {
		const google = { scope: 'openid email', ...offline };
		await change(client, { dialect: 'github' });
		let code = await client.code({ scope: 'read:user' });
		await client.exchange(code);
		await client.exchange(code);
		await change(client, { dialect: 'google' });
		await client.signIn({ ...google, prompt: 'consent' });
		code = await client.code(google);
		await client.exchange(code);
		await change(client, { dialect: 'slack' });
		await client.exchange(code);
	}
};
