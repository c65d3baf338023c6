import fc from 'fast-check';
import type { TestRequest } from './transport.ts';
import { codePoint } from '../code-point.ts';

/** Good values that find their way deep into the service, to be mixed with the others. */
export type Pool = readonly string[];

/** What the service takes: method and path that go together. */
const calls: [method: string, path: string][] = [
	'/ws/oauth2/auth/',
	'/ws/oauth2/revoke',
	'/ws/v2.0/character/Mara%20Vell',
	'/ws/v2.0/ratelimits',
	'/ratelimiting',
	'/account',
	'/control/tickets',
	'/control/credentials',
	'/control/health',
	'/control/traffic',
	'/ws/oauth2/auth/',
	'/ws/v2.0/ratelimits'
].map((path): [string, string] => ['GET', path]);
calls.push(
	...['/ws/oauth2/token/', '/ws/oauth2/token/', '/ws/oauth2/token', '/ws/oauth2/auth/', '/account', '/account'].map(
		(path): [string, string] => ['POST', path]
	),
	...[
		'/control/clock',
		'/control/applications',
		'/control/accounts',
		'/control/tickets',
		'/control/tickets/x',
		'/control/faults',
		'/control/sandboxes'
	].map((path): [string, string] => ['POST', path]),
	['PATCH', '/control/settings'],
	['PATCH', '/control/applications/character-viewer'],
	['POST', '/control/applications/character-viewer/redirect-uri-test'],
	['PUT', '/control/snapshot'],
	['DELETE', '/control/blacklist/x'],
	['DELETE', '/control/credentials/codes/x']
);
const oddPaths = [
	'/ws/',
	'/ws/x/../oauth2/token',
	'//ws/oauth2/token',
	'/%77s/oauth2/%74oken',
	'/ws/v2.0/character/',
	'/ws/%',
	'/ws/v2.0/character/%00',
	'/ws/v2.0/character/%ff',
	'/control/accounts/%',
	'/control/traffic/x/y',
	'/ws/v2.0//ratelimits'
];
const names = [
	'grant_type',
	'code',
	'client_id',
	'client_secret',
	'redirect_uri',
	'refresh_token',
	'scope',
	'state',
	'interaction',
	'response_type',
	'access_type',
	'renew_previously_granted',
	'code_challenge',
	'code_challenge_method',
	'code_verifier',
	'token',
	'access_token',
	'username',
	'password',
	'decision',
	'csrf_token',
	'action',
	'name',
	'kind',
	'key',
	'after',
	'limit',
	'__proto__',
	'constructor',
	'',
	'x[]',
	'x.y'
];
const values = [
	'code',
	'authorization_code',
	'refresh_token',
	'character-viewer',
	'viewer-secret',
	'character_read',
	'offline',
	'yes',
	'approve',
	'deny',
	'switch',
	'sign-in',
	'revoke',
	'player-one',
	'demo',
	'S256',
	'web',
	'urn:ietf:wg:oauth:2.0:oob',
	'http://localhost:8080/',
	'',
	'0',
	'-1',
	'1e999',
	'NaN',
	'null',
	'%',
	'%ff',
	'%00',
	'%0d%0a',
	'../',
	'<script>',
	'💥'
];
const headerNames = [
	'Authorization',
	'Accept',
	'Content-Type',
	'Content-Encoding',
	'Cookie',
	'Origin',
	'Referer',
	'X-Forwarded-For',
	'Sec-Fetch-Site',
	'Sec-Fetch-Mode',
	'Sec-Purpose',
	'Last-Event-ID',
	'Range',
	'If-None-Match',
	'Accept-Encoding',
	'X-Y'
];
const types = [
	'application/x-www-form-urlencoded',
	'application/x-www-form-urlencoded',
	'application/x-www-form-urlencoded; charset=utf-8',
	'application/json',
	'multipart/form-data; boundary=x',
	'text/plain',
	'APPLICATION/XML',
	';;',
	'application/json; charset=x'
];
const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

/**
 * Requests that keep the grammar of HTTP and nothing else.
 * @param pool good values
 * @param redirect a good redirect URI, encoded
 * @param prefixes of targets: the sandboxes
 */
export function requests(pool: Pool, redirect: string, prefixes: readonly string[]): fc.Arbitrary<TestRequest> {
	const value = fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(...values) },
		{ weight: 4, arbitrary: fc.constantFrom(...pool) },
		fc.string({ unit: codePoint, maxLength: 30 }).map(encoded),
		fc.string({ maxLength: 20 }).map(encoded),
		fc.nat({ max: 3000 }).map((length) => 'x'.repeat(length))
	);
	const fitting = fc.constantFrom<[string, string]>(
		['grant_type', 'authorization_code'],
		['grant_type', 'refresh_token'],
		['client_id', 'character-viewer'],
		['client_secret', 'viewer-secret'],
		['response_type', 'code'],
		['scope', 'character_read'],
		['redirect_uri', redirect],
		['redirect_uri', redirect]
	);
	const fields = fc
		.array(fc.oneof(fitting, fc.tuple(fc.constantFrom(...names), value)), { maxLength: 9 })
		.map((pairs) => pairs.map(([name, value]) => `${name}=${value.replaceAll(' ', '+')}`).join('&'));
	const json = fc.oneof(
		fc.json({ maxDepth: 4 }),
		fields,
		fc.constant('['.repeat(5000)),
		fc.constant('{"__proto__":{"x":1}}')
	);
	const body = fc.oneof(
		{ weight: 20, arbitrary: fields },
		{ weight: 5, arbitrary: json },
		{ weight: 5, arbitrary: fc.uint8Array({ maxLength: 200 }) },
		{ weight: 1, arbitrary: fc.constant('x'.repeat(70_000)) }
	);
	const strange = fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(...oddPaths, ...calls.map(([, path]) => path)) },
		{ weight: 4, arbitrary: fc.string({ maxLength: 30 }).map((text) => `/ws/v2.0/character/${encoded(text)}`) },
		{ weight: 1, arbitrary: fc.string({ maxLength: 30 }).map((text) => `/${printable(text).replace(/[ #]/g, '')}`) }
	);
	const methodAndPath = fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(...calls) },
		fc.tuple(fc.constantFrom(...methods), strange)
	);
	const header = fc.tuple(
		fc.constantFrom(...headerNames),
		fc.oneof(
			value.map(printable),
			value.map((token) => printable(`OAuth ${token}`)),
			fc.constantFrom(...types, 'application/xml', 'application/json', '*/*', 'null', 'cross-site', 'prefetch', 'gzip')
		)
	);
	return fc
		.record({
			methodAndPath,
			prefix: fc.constantFrom(...prefixes),
			query: fields,
			headers: fc.array(header, { maxLength: 5 }),
			type: fc.option(fc.constantFrom(...types), { freq: 9 }),
			body: fc.option(body, { freq: 4 }),
			inChunks: fc.boolean()
		})
		.map(({ methodAndPath: [method, path], prefix, query, headers, type, body, inChunks }) => ({
			method,
			target: printable(`${prefix}${path}${query === '' ? '' : `?${query}`}`)
				.replaceAll(' ', '%20')
				.slice(0, 6000),
			headers: [...(type === null ? [] : ['Content-Type', type]), ...headers.flat().map((text) => text.slice(0, 3000))],
			...(body === null ? {} : { body, inChunks })
		}));
}

/** What no client would send: requests with bytes flipped, doubled, cut out and put in. */
export function garbage(host: string): fc.Arbitrary<Buffer> {
	const start = fc.constantFrom(
		`GET /ws/v2.0/ratelimits HTTP/1.1\r\nHost: ${host}\r\nAccept: application/xml\r\n\r\n`,
		`POST /ws/oauth2/token/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 12\r\n\r\ngrant_type=x`,
		`POST /ws/oauth2/token/ HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
		`GET /account HTTP/1.1\r\nHost: ${host}\r\nCookie: a=b\r\nConnection: keep-alive\r\n\r\n`.repeat(3),
		`GET https://${host}/ratelimiting HTTP/1.0\r\n\r\n`,
		`OPTIONS * HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n`
	);
	const put = fc.oneof(
		fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
		fc.constantFrom(
			'\r\n',
			'\n',
			'\r\n\r\n',
			'\0',
			' ',
			'\t',
			':',
			'Content-Length: 5\r\n',
			'Transfer-Encoding: xchunked\r\n'
		),
		fc.constantFrom(
			'Host: evil.example\r\n',
			`X: ${'y'.repeat(20_000)}\r\n`,
			'X: y\r\n'.repeat(300),
			'HTTP/9.9',
			'ffffffffff'
		)
	);
	const edits = fc.array(fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 5 }), put), { minLength: 1, maxLength: 4 });
	return fc.tuple(start, edits).map(([text, edits]) => {
		const edited = edits.reduce((all, [at, gone, put]) => all.slice(0, at) + put + all.slice(at + gone), text);
		return Buffer.from(edited, 'latin1');
	});
}

function encoded(text: string): string {
	return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '?'));
}

/** Removes what a line of HTTP cannot contain. */
function printable(text: string): string {
	return text.replace(/[^\x20-\x7e]/g, '').trim();
}
