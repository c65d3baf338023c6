import { operations } from '#service/openapi/operations.ts';
import { equal, fieldsOf, lacks, matches, ok } from '../assert.ts';
import { testCase, type Case } from '../case.ts';
import { queryOf, type TestUser } from '../user-agent.ts';
import type { TestResponse } from '../response.ts';
import { encode, formType, Sandbox, type App } from '../sandbox.ts';
import type { TestRequest } from '../transport.ts';

/** A request that carries a credential. */
type Carrier = {
	readonly kind: string;
	readonly carry: (value: string) => Omit<TestRequest, 'target'> & { query?: string };
};

const idInPath = 'an id in the path';

/** Every path of the service, and one that does not exist. */
const paths = [...new Set([...operations.map(({ path }) => path), '/control/unknown/{id}'])];

/** Endpoints outside the control API get a method that they reject, too. */
function methodsOf(path: string): string[] {
	const declared = operations.filter((operation) => operation.path === path);
	return declared.every(({ isControl }) => isControl) && declared.length > 0
		? declared.map(({ method }) => method)
		: ['GET', 'POST'];
}

/** RM-01, RM-03: nothing of one sandbox works in another, and a sandbox is controlled only with its key. */
export const isolationCases: Case[] = [
	testCase(
		'RM-01 treats every credential of another sandbox like an unknown one, byte for byte, on every route',
		async (at) => {
			const { isExhaustive } = at.transport;
			const foreign = await Sandbox.create(at.transport);
			try {
				const credentials = await everything(foreign);
				const here = at.user();
				await here.signIn();
				const carriers = carriersOf(at, credentials, here);
				for (const [row, path] of paths.entries()) {
					for (const method of methodsOf(path)) {
						// All hosts pass a request to one function. What differs is how a route or a credential gets there.
						const chosen = carriers.filter(
							([, { kind }], column) => isExhaustive === true || kind === idInPath || column % 4 === row % 4
						);
						for (const [value, carrier] of chosen) {
							const known = await call(at, { method, path, carrier, value });
							const unknown = await call(at, { method, path, carrier, value: scrambled(value) });
							const what = `${method} ${path} with ${carrier.kind}`;
							equal(bytes(known, value, at), bytes(unknown, scrambled(value), at), what);
						}
					}
				}
			} finally {
				await foreign.remove();
			}
		}
	),
	testCase('RM-01 the foreign credentials are valid in their own sandbox', async (at) => {
		const { access, refresh, code, app, session } = await everything(at);
		equal((await at.character(access)).status, 200);
		equal((await at.refresh(refresh)).status, 200);
		equal((await at.exchange(code)).status, 200);
		equal((await at.refresh('x', app)).error, 'invalid_grant');
		equal((await at.get('/account', 'Cookie', session)).text.includes('name="password"'), false);
	}),
	testCase(
		'RM-03 requires the key for every control: no key, a foreign key and a foreign site change nothing',
		async (at) => {
			const other = await Sandbox.create(at.transport);
			try {
				await at.controlled('POST', 'faults', { endpoint: 'token', kind: 'delay', delay_ms: 1, times: 1000 });
				const before = await picture(at);
				const controls = operations.filter(({ isControl, access }) => isControl && access === undefined);
				ok(controls.length >= 25, `${controls.length} controls`);
				await at.controlled('DELETE', 'traffic');
				const headers = [[], ['X-Tollgate-Key', other.key], ['X-Tollgate-Key', ''], ['Origin', 'https://evil.example']];
				for (const { path, method } of controls) {
					const target = path.replace(/\{\w+\}/g, 'character-viewer');
					for (const more of headers) {
						const sent = [...more, 'Content-Type', 'application/json'];
						const response = await at.send({
							method,
							target,
							headers: sent,
							body: method === 'GET' ? '' : '{"advance":60}'
						});
						equal([response.status, response.error], [403, 'forbidden'], `${method} ${target} ${more.join(' ')}`);
					}
					// All of them together would not fit in the log.
					const log = await at.traffic();
					equal(log.match(/"endpoint":"control"/g)?.length, headers.length, `${target}: each is in the log`);
					matches(log, /"id":"control.access_granted"[^}]*"outcome":"failed"/);
					lacks(log, other.key);
					await at.controlled('DELETE', 'traffic');
				}
				equal(await picture(at), before);
			} finally {
				await other.remove();
			}
		},
		['raw headers']
	),
	testCase(
		'RM-03 accepts the cookie of the owner from own pages only',
		async (at) => {
			const made = await at.transport.send({ method: 'POST', target: '/control/sandboxes' });
			const line = made?.headers.find((value) => value.startsWith('__Host-')) ?? '';
			const { id, key } = fieldsOf(JSON.parse(made?.body ?? ''));
			const call = (...headers: string[]) =>
				at.transport.send({
					target: `/~${String(id)}/control/sandbox`,
					headers: ['Cookie', line.split(';', 1)[0] ?? '', ...headers]
				});
			for (const part of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) ok(line.includes(part), line);
			const origin = new URL(at.base_url).origin;
			equal((await call())?.status, 200);
			equal((await call('Origin', origin, 'Sec-Fetch-Site', 'same-origin'))?.status, 200);
			for (const foreign of [
				['Origin', 'https://evil.example'],
				['Origin', 'null'],
				['Sec-Fetch-Site', 'cross-site'],
				['Sec-Fetch-Site', 'same-site']
			]) {
				equal((await call(...foreign))?.status, 403, foreign.join(' '));
			}
			const headers = ['X-Tollgate-Key', String(key)];
			equal(
				(await at.transport.send({ method: 'DELETE', target: `/~${String(id)}/control/sandbox`, headers }))?.status,
				200
			);
		},
		['raw headers']
	)
];

type Everything = Record<
	'access' | 'refresh' | 'code' | 'interaction' | 'session' | 'owner' | 'key' | 'entry',
	string
> & {
	app: App;
};

/** One good credential of each kind. */
async function everything(at: Sandbox): Promise<Everything> {
	const user = at.user();
	const app = await at.register('web', [`${at.transport.origin}/viewer/callback`]);
	const { access_token, refresh_token } = await user.offline();
	const code = await user.code();
	const page = await user.authorize(at.companion);
	const [session = ''] = user.cookie().slice(1);
	const { id } = await at.character(access_token);
	return {
		access: access_token,
		refresh: refresh_token,
		code,
		interaction: page.hidden('interaction'),
		session,
		owner: at.key,
		key: at.key,
		entry: id,
		app
	};
}

function carriersOf(at: Sandbox, given: Everything, here: TestUser): [string, Carrier][] {
	const { client_id, client_secret, redirect_uri } = at.viewer;
	const form = (fields: Record<string, string>) => ({ headers: [...formType], body: encode(fields) });
	const [, cookies = ''] = here.cookie();
	const [name = ''] = cookies.split('=', 1);
	const value = given.session.slice(given.session.indexOf('=') + 1);
	const make = (kind: string, carry: Carrier['carry']): Carrier => ({ kind, carry });
	const authorization = make('an access token', (token) => ({ headers: ['Authorization', `OAuth ${token}`] }));
	const inQuery = make('an access token in the query', (token) => ({ query: encode({ access_token: token }) }));
	const exchange = make('a code', (code) =>
		form({ grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri })
	);
	const refresh = make('a refresh token', (token) =>
		form({ grant_type: 'refresh_token', refresh_token: token, client_id, client_secret })
	);
	const revoke = make('a refresh token in the query', (token) => ({ query: encode({ token, client_id }) }));
	const client = make('a client', (id) =>
		form({ grant_type: 'refresh_token', refresh_token: 'x', client_id: id, client_secret: given.app.client_secret })
	);
	const asks = make('a client in the query', (id) => ({ query: queryOf({ ...given.app, client_id: id }) }));
	const revokes = make('a client in a revocation', (id) => ({ query: encode({ token: 'x', client_id: id }) }));
	const resumed = make('a pending request', (id) => ({ query: encode({ interaction: id }), headers: here.cookie() }));
	const decided = make('a pending request in a form', (id) => {
		const { headers, body } = form({ interaction: id, csrf_token: id, decision: 'approve' });
		return { headers: [...headers, ...here.cookie()], body };
	});
	const session = make('a session', (cookie) => ({ headers: ['Cookie', cookie], query: queryOf(at.viewer) }));
	const renamed = make('a session under our name', (cookie) => ({
		headers: ['Cookie', `${name}=${cookie}`],
		query: queryOf(at.viewer)
	}));
	const owner = make('an owner’s cookie', (key) => ({
		headers: ['Cookie', `${name.replace('session', 'owner')}=${key}`]
	}));
	const key = make('a key', (key) => ({ headers: ['X-Tollgate-Key', key] }));
	const inPath = make(idInPath, () => ({
		headers: ['X-Tollgate-Key', at.key, 'Content-Type', 'application/json']
	}));
	return [
		[given.access, authorization],
		[given.access, inQuery],
		[given.code, exchange],
		[given.refresh, refresh],
		[given.refresh, revoke],
		[given.app.client_id, client],
		[given.app.client_id, asks],
		[given.app.client_id, revokes],
		[given.interaction, resumed],
		[given.interaction, decided],
		[given.session, session],
		[value, renamed],
		[given.owner, owner],
		[given.key, key],
		[given.entry, inPath],
		[given.app.client_id, inPath]
	];
}

type Call = { readonly method: string; readonly path: string; readonly carrier: Carrier; readonly value: string };

/** Calls an endpoint, the value standing in its path too where the path takes one. */
async function call(at: Sandbox, { method, path, carrier, value }: Call): Promise<TestResponse | undefined> {
	// With our own key only what names an id is called: a reset would be no question of credentials.
	if (carrier.kind === idInPath && !path.includes('{')) return undefined;
	const { query, ...sent } = carrier.carry(value);
	const filled = path.replace(/\{\w+\}/g, encodeURIComponent(value));
	return at.send({ ...sent, method, target: `${filled}${query === undefined ? '' : `?${query}`}` });
}

/** A response without what differs between requests: request id, clock, random values, remaining requests. */
function bytes(response: TestResponse | undefined, value: string, at: Sandbox): string {
	if (response === undefined) return '';
	const changing = /^(x-request-id|date|x-ratelimit-(remaining|reset|resettime))$/i;
	const headers = response.headers.filter((_, index) => !changing.test(response.headers[index - (index % 2)] ?? ''));
	return `${response.status}\n${headers.join('\n')}\n${response.text}`
		.replaceAll(response.id, '(id)')
		.replaceAll(value, '(value)')
		.replaceAll(at.id, '(sandbox)')
		.replace(/"now":\d+/, '"now":0')
		.replace(/"reset(_time)?":("[^"]*"|\d+)|"remaining":\d+/g, '')
		.replace(/[\w-]{43}/g, '(random)');
}

/** A value of the same form that was not issued. */
function scrambled(value: string): string {
	const letters = [...value.slice(value.indexOf('=') + 1)];
	return (
		value.slice(0, value.indexOf('=') + 1) +
		letters.map((letter) => (letter === 'A' ? 'B' : /\w/.test(letter) ? 'A' : letter)).join('')
	);
}

/** What the controls show of a sandbox. */
async function picture(at: Sandbox): Promise<string> {
	const parts = ['settings', 'faults', 'applications', 'accounts', 'blacklist', 'tickets'];
	const responses = await Promise.all(parts.map((part) => at.controlled('GET', part)));
	const { offset } = fieldsOf((await at.controlled('GET', 'clock')).json());
	return [...responses.map((response) => response.text), String(offset)].join('\n');
}
