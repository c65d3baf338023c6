import { expect, it, test } from 'vitest';
import { createTestService, type TestService } from '../test-service.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';

const authorize = { kind: 'authorize', url: 'https://id.harbor.example/authorize' };
const token = { kind: 'token', url: 'https://id.harbor.example/token' };
const base = { pkce: 'optional', endpoints: [authorize, token] };

function worldOf(dialect: object): object {
	return { format: 'tollgate-world', version: 1, provider: { title: 'Harbor API', dialect: { ...base, ...dialect } } };
}

async function inWorld(dialect: object): Promise<{ readonly at: Sandbox; readonly tested: TestService }> {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.controlled('PUT', 'world', worldOf(dialect));
	return { at, tested };
}

/** Why no sandbox of an unknown client can have such an API. */
async function mistakeOf(dialect: object): Promise<string> {
	const at = await createTestService().sandbox();
	const { status, text } = await at.control('PUT', 'world', worldOf(dialect));
	return `${status} ${text}`;
}

test.each([
	[
		'two variables in one part of a path',
		{ endpoints: [{ ...token, url: 'https://a.example/{a}{b}' }] },
		/a slash apart/
	],
	['two variables in a host', { endpoints: [{ ...token, url: 'https://{a}.{b}.example/token' }] }, /a slash apart/],
	['no host', { endpoints: [{ ...token, url: 'https:///token' }] }, /write a short https URL/],
	[
		'a path that no pattern can be made of',
		{ endpoints: [{ ...token, url: `https://a.example/${'a'.repeat(2000)}` }] },
		/url/
	],
	[
		'thousands of scopes',
		{ scopes: { unknown: 'ignored', known: Array.from({ length: 201 }, String) } },
		/at most 200/
	],
	[
		'thousands of header fields',
		{ errors: { token: { headers: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x-${at}`, ''])) } } },
		/at most 200/
	],
	['a long header field', { errors: { token: { headers: { 'x-a': 'a'.repeat(1001) } } } }, /x-a/],
	[
		'a header that LiteSpeed obeys',
		{ errors: { token: { headers: { 'X-LiteSpeed-Location': '/' } } } },
		/use X- fields/
	],
	['a time after the last day of a calendar', { lifetimes: { accessToken: 1e308 } }, /accessToken/],
	['a line break in tokens', { tokens: { access_token: { prefix: 'a\r\n' } } }, /printable ASCII/]
])('rejects %s', async (_, dialect, reason) => {
	expect(await mistakeOf(dialect)).toMatch(reason);
});

it('takes no longer for a long path', async () => {
	const { at } = await inWorld({ endpoints: [{ ...token, url: 'https://a.example/{a}/{b}/{c}/x' }] });
	const target = `/as/own/${'a/'.repeat(3500)}${'a'.repeat(7000)}`;
	const begin = performance.now();
	expect((await at.get(target)).status).toBe(404);
	expect(performance.now() - begin).toBeLessThan(1000);
});

it.each([
	['a part of the URL', '{part}'.repeat(20_000), []],
	['a field alone', '', Array.from({ length: 200 }, () => Array.from({ length: 100 }, () => '{part}'))]
])('does not become larger than memory: %s named many times', async (_, text, list) => {
	const api = { kind: 'api', url: 'https://api.harbor.example/{part}/me' };
	const { at, tested } = await inWorld({ endpoints: [api], errors: { api: { body: { text, list } } } });
	const response = await at.get(`/as/own/${'a'.repeat(8000)}/me`);
	expect([response.status, tested.faults]).toEqual([401, []]);
	expect(response.text.length).toBeLessThan(1_000_000);
	expect(response.text).toContain('a'.repeat(8000));
});

it('does not become larger than memory: an ID token of a long claim, named many times', async () => {
	const { at, tested } = await inWorld({
		refreshFor: 'always',
		scopes: { known: ['openid'], always: ['openid'], unknown: 'ignored' },
		idToken: { claims: { long: 'a'.repeat(100_000) } },
		tokenResponse: { body: { access_token: '{access_token}', ids: Array.from({ length: 200 }, () => '{id_token}') } }
	});
	await at.controlled('PATCH', 'settings', { dialect: 'own' });
	const response = await at.exchange(await at.user().code());
	expect([response.status, tested.faults]).toEqual([200, []]);
	expect(response.text.length).toBeLessThan(1_000_000);
});

it('has no values of objects of the language, and no secrets', async () => {
	const { at, tested } = await inWorld({
		request: { token: { names: { app: 'client_id' } } },
		errors: {
			token: {
				headers: { 'x-a': '{constructor}', 'x-b': 'b{toString}', 'x-c': '{user_name}{__proto__}' },
				body: {
					a: '{constructor}',
					b: 'b{toString}{__proto__}',
					c: 'c{client_secret}{key}{access_token}{refresh_token}{code}{cookie}'
				}
			}
		}
	});
	const sent = { grant_type: 'refresh_token', refresh_token: 'x', app: 'character-viewer', client_secret: 'wrong' };
	const response = await at.post('/as/own/token', { ...sent, constructor: '1', toString: '2', ['__proto__']: '3' });
	expect(tested.faults).toEqual([]);
	expect([response.header('x-a'), response.header('x-b'), response.json()]).toEqual([
		undefined,
		'b',
		{ b: 'b', c: 'c' }
	]);
	const read = (await at.logged(response)).trace.find(({ id }) => id === 'provider.request_read');
	expect(read?.detail).toBe('app is client_id');
});

it('never issues the same code twice, where the prefix is as long as the code', async () => {
	const { at } = await inWorld({ tokens: { code: { prefix: 'a'.repeat(30), length: 30 } } });
	await at.controlled('PATCH', 'settings', { dialect: 'own' });
	const codes = [await at.user().code(), await at.user().code()];
	expect(new Set(codes).size).toBe(2);
	expect((await at.exchange(codes[0] ?? '')).status).toBe(200);
});

it('has each header once', async () => {
	const { at } = await inWorld({ errors: { token: { headers: { 'Cache-Control': 'private', Pragma: 'x' } } } });
	const { headers } = await at.post('/as/own/token', {});
	const names = headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
	expect(names.length).toBe(new Set(names).size);
	expect(names).toContain('cache-control');
});

it('counts the headers of responses in the memory of the log', async () => {
	const long = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}`, 'a b '.repeat(200)]));
	const { at } = await inWorld({ errors: { token: { headers: long } } });
	for (let count = 0; count < 60; count++) await at.post('/as/own/token', {});
	expect((await at.traffic()).length).toBeLessThan(300_000);
});

it('shows its pages where it describes no authorization endpoint', async () => {
	const { at } = await inWorld({ endpoints: [token] });
	await at.controlled('PATCH', 'settings', { dialect: 'own' });
	expect((await at.user().authorize()).text).toMatch(/^<!doctype html>[^]*name="password"/i);
});

it('sends the forms of its pages to the sandbox where a reverse proxy names its host', async () => {
	const url = 'https://{tenant}.harbor.example/control/login';
	const { at } = await inWorld({ endpoints: [{ kind: 'authorize', url }] });
	const query = new URLSearchParams({
		response_type: 'code',
		client_id: 'character-viewer',
		state: 's',
		scope: 'character_read',
		redirect_uri: at.viewer.redirect_uri
	});
	const page = await at.get(`/as/own/control/login?${query.toString()}`, 'X-Forwarded-Host', 'tollgate.harbor.example');
	expect(page.text).toContain(`action="${at.base_url}/as/own/control/login"`);
});

it('runs nothing that its bodies contain', async () => {
	const body = { script: '<script>alert(1)</script>', 'html xmlns="http://www.w3.org/1999/xhtml"': 'x', xmlns: 'x' };
	const { at } = await inWorld({
		tokenResponse: { form: 'negotiated' },
		errors: { token: { body }, api: { body: '<script>alert(1)</script>' } },
		endpoints: [token, { kind: 'api', url: 'https://api.harbor.example/me' }]
	});
	for (const accept of ['application/xml', 'text/html', 'application/json']) {
		for (const response of [
			await at.post('/as/own/token', {}, 'Accept', accept),
			await at.get('/as/own/me', 'Accept', accept)
		]) {
			expect(response.header('content-type')).toMatch(
				/^(?:application\/(?:json|xml|x-www-form-urlencoded)|text\/plain); charset=utf-8$/
			);
			expect(response.text).not.toMatch(/^<\?xml[^]*(?:<script>alert|xmlns=)/i);
		}
	}
});
