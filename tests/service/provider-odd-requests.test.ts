import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import type { ProviderFile } from '#api/providers/provider-file.ts';
import { formType, type Sandbox } from '../conformance/sandbox.ts';
import type { TestRequest } from '../conformance/transport.ts';
import type { TestResponse } from '../conformance/response.ts';
import { createTestService } from './test-service.ts';

const files = import.meta.glob<ProviderFile>('../../src/content/providers/!(specification|standard).yaml', {
	eager: true,
	import: 'default'
});

/** Every endpoint of every provider. */
const endpoints = Object.entries(files).flatMap(([path, { dialect }]) => {
	const name = path.replace(/^.*\/|\.yaml$/g, '');
	return (dialect.endpoints ?? []).map((endpoint) => {
		const target = endpoint.url.replace(/^https:..[^/]*/, `/as/${name}`).replace(/\{(\w+)\}/g, '$1');
		return { name, dialect, endpoint, target };
	});
});
type Tried = (typeof endpoints)[number];

/** What is wrong with a response, whatever was sent. */
function wrongIn({ dialect, endpoint }: Tried, { status, text, headers }: TestResponse): string[] {
	const names = headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
	const repeated = names.filter((name, at) => names.indexOf(name) !== at && name !== 'set-cookie' && name !== 'vary');
	const { token, api, revoke } = dialect.errors ?? {};
	const own =
		endpoint.errors ??
		{ api, revoke, token }[endpoint.kind === 'api' ? 'api' : endpoint.kind === 'revoke' ? 'revoke' : 'token'];
	const documented = [own?.status, dialect.rateLimit?.status, ...(own?.cases ?? []).map((one) => one.status)];
	const isOurs = [200, 204, 302, 303, 400, 401, 403, 404, 405, 413, 429].includes(status);
	return [
		...(status >= 500 ? [`status ${status}`] : []),
		...(isOurs || documented.includes(status) ? [] : [`status ${status} is not in the file`]),
		...repeated.map((name) => `${name} twice`),
		...(/undefined|\[object |function \w+\(/.test(text) && !/<!doctype/i.test(text) ? [`body ${text}`] : [])
	];
}

const tested = createTestService();

async function tryAll(at: Sandbox, sent: (one: Tried) => TestRequest): Promise<string[]> {
	const found: string[] = [];
	for (const one of endpoints) {
		const response = await at.send(sent(one));
		found.push(...wrongIn(one, response).map((what) => `${one.target}: ${what}`));
	}
	return found;
}

test.each(['PUT', 'DELETE', 'PATCH'])(
	'no endpoint allows %s, and none says that it is another error',
	async (method) => {
		const at = await tested.sandbox();
		for (const { target } of endpoints) {
			const response = await at.send({ method, target });
			expect([response.status, response.header('allow')], target).toEqual([405, expect.stringMatching(/POST|GET/)]);
		}
	}
);

test('a body that is too long has status 413 at each token endpoint', async () => {
	const at = await tested.sandbox();
	for (const { target } of endpoints.filter(({ endpoint }) => endpoint.kind === 'token')) {
		const response = await at.post(target, `client_id=${'a'.repeat(80_000)}`);
		expect([response.status, response.text], target).toEqual([413, expect.stringContaining('64 KiB')]);
	}
});

test('an error that the file of Microsoft does not have says what is wrong, and has no number', async () => {
	const at = await tested.sandbox();
	const response = await at.post('/as/microsoft/common/oauth2/v2.0/token', {
		...at.viewer,
		grant_type: 'refresh_token',
		refresh_token: 'x'
	});
	expect(response.json()).toMatchObject({
		error: 'invalid_grant',
		error_codes: [],
		error_description: expect.stringMatching(/^AADSTS: The refresh token/)
	});
});

/** Names and values of parameters, headers and parts of paths that no client sends. */
const odd = fc.oneof(
	fc.constantFrom(
		'__proto__',
		'constructor',
		'client_id',
		'grant_type',
		'code',
		'token',
		'scope',
		'redirect_uri',
		'%',
		'%2e%2e',
		'%00',
		'{username}',
		'{__proto__}',
		'<script>',
		'\u{1f600}'
	),
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.integer({ min: 100, max: 9000 }).map((length) => 'a '.repeat(length / 2))
);
const oddRequest = fc.record({
	method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT'),
	pairs: fc.array(fc.tuple(odd, odd), { maxLength: 8 }),
	json: fc.boolean(),
	accept: fc.constantFrom('*/*', 'application/json', 'application/xml', 'text/html', 'x'),
	authorization: fc.constantFrom('', 'Bearer x', 'Basic %', 'Basic Og==', 'Basic eDp5', 'DPoP x', 'Bearer', 'x'),
	inQuery: fc.boolean()
});

it('responds to each odd request as the file says, or as HTTP does', async () => {
	await fc.assert(
		fc.asyncProperty(oddRequest, async ({ method, pairs, json, accept, authorization, inQuery }) => {
			const at = await tested.sandbox();
			const form = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
			const type = json ? ['Content-Type', 'application/json'] : formType;
			const body = json ? JSON.stringify(Object.fromEntries(pairs)) : form;
			const headers = [...type, 'Accept', accept, ...(authorization === '' ? [] : ['Authorization', authorization])];
			const found = await tryAll(at, ({ target }) => ({
				method,
				target: inQuery ? `${target}?${form.slice(0, 8000)}` : target,
				headers,
				...(method === 'POST' || method === 'PUT' ? { body } : {})
			}));
			expect([...found, ...tested.faults]).toEqual([]);
		}),
		{ numRuns: import.meta.env.MODE === 'nightly' ? 300 : 10 }
	);
}, 60_000);

it('has nothing beside the paths of a file', async () => {
	const at = await tested.sandbox();
	for (const { target } of endpoints)
		for (const path of [
			`${target}/%2e%2e`,
			`${target}%2f`,
			`${target}/x`,
			`${target};x`,
			target.replace('/as/', '/as//')
		])
			expect((await at.get(path)).status, path).toBe(404);
});
