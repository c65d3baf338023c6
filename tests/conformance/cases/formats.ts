import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { equal, fieldsOf, matches, ok } from '../assert.ts';
import { testCase, hostCase, type Case } from '../case.ts';
import type { TestResponse } from '../response.ts';

const xml = ['Accept', 'application/xml'];
const parser = new XMLParser({
	ignoreAttributes: false,
	attributeNamePrefix: '',
	parseTagValue: false,
	parseAttributeValue: false,
	trimValues: false,
	htmlEntities: true
});

/** EN: JSON and XML. */
export const formatCases: Case[] = [
	testCase('EN-02 sends the same token response in JSON and XML, and good tokens in both', async (at) => {
		const code = await at.user().code(at.viewer, { access_type: 'offline', scope: 'character_read location_read' });
		const issued = await at.token({ grant_type: 'authorization_code', code, ...at.viewer }, ...xml);
		isXml(issued);
		const first = fieldsOf(parse(issued).OAuth);
		const refreshed = await at.refresh(String(first.refresh_token));
		equal(refreshed.status, 200, 'the refresh token in the XML is good');
		equal((await at.character(String(first.access_token))).status, 200, 'and so is the access token');
		const { expires_in, token_type, scope } = refreshed.tokens;
		equal([first.expires_in, first.token_type, first.scope], [String(expires_in), token_type, scope]);
		const names = Object.keys(first).filter((name) => name !== 'refresh_token');
		equal(names, Object.keys(refreshed.tokens));
	}),
	testCase('EN-02 sends the same characters in JSON and XML, own and foreign', async (at) => {
		const scope = 'character_read location_read inventory_read credits_read';
		const { access_token } = await at.user('player-two').tokens(at.viewer, { scope });
		for (const name of ['Mara Vell', "Tomas d'Arc", 'Zoë Šťastná', 'Half/Life', '100% Orc']) {
			const json = await at.character(access_token, name);
			const other = await at.character(access_token, name, ...xml);
			isXml(other);
			equal(parse(other).character, textOf(json.json()), name);
		}
	}),
	testCase('EN-02 RL-04 sends the same rate limits in JSON and XML, with version and total', async (at) => {
		const { access_token } = await at.user().tokens();
		// A pattern that has not been called names the end of a window that would begin now: another one a second later.
		await at.character(access_token);
		const credential = ['Authorization', `OAuth ${access_token}`];
		const other = await at.get('/ws/v2.0/ratelimits', ...credential, ...xml);
		isXml(other);
		matches(other.text, /<ratelimits version="1\.0" total="2"><ratelimit pattern="[^"]+" limit="600" remaining="599" /);
		const ratelimits = fieldsOf(parse(other).ratelimits);
		const again = await at.get('/ws/v2.0/ratelimits', ...credential);
		const json = fieldsOf(fieldsOf(again.json()).ratelimits);
		const later = JSON.stringify(ratelimits).replace('"remaining":"149"', '"remaining":"148"');
		const { ratelimit, version, total } = fieldsOf(JSON.parse(later));
		equal({ version, total, ratelimit }, textOf(json));
		equal(total, String(Array.isArray(ratelimit) ? ratelimit.length : 0));
	}),
	testCase('EN-02 sends the same rate limiting status in JSON and XML, also when blacklisted', async (at) => {
		for (let round = 0; round < 2; round++) {
			const json = fieldsOf((await at.get('/ratelimiting')).json());
			const other = await at.get('/ratelimiting', ...xml);
			isXml(other);
			const { ratelimits: inXml, ...rest } = fieldsOf(parse(other).ratelimiting);
			const { ratelimits: inJson, ...same } = json;
			equal(rest, textOf(same));
			equal(Object.keys(fieldsOf(inXml)).length, Object.keys(fieldsOf(inJson)).length);
			await at.changeSettings({ limits: { character: 0, blacklist_after_refused: 1 } });
			await at.trySend({ target: '/ws/v2.0/character/x' });
		}
	}),
	hostCase('EN-03 sends errors in the requested format, from 400 to 503', async (at) => {
		const { access_token } = await at.user().tokens();
		const path = '/ws/v2.0/character/x';
		await at.controlled('POST', 'faults', { endpoint: 'revoke', kind: 'status', status: 500 });
		const form = ['Content-Type', 'application/x-www-form-urlencoded'];
		const token = { method: 'POST', target: '/ws/oauth2/token/' };
		const responses: [number, TestResponse][] = [
			[500, await at.get('/ws/oauth2/revoke', ...xml)],
			[400, await at.get('/ws/oauth2/revoke', ...xml)],
			[401, await at.get(path, ...xml)],
			[404, await at.character(access_token, 'Unknown', ...xml)],
			[404, await at.get('/ws/nothing', ...xml)],
			[404, await at.get('/control/nothing', ...xml)],
			[405, await at.send({ method: 'PUT', target: path, headers: xml })],
			[405, await at.get('/ws/oauth2/token/', ...xml)],
			[413, await at.send({ ...token, headers: [...form, ...xml], body: 'x'.repeat(17_000) })],
			[415, await at.send({ ...token, headers: [...form, ...xml, 'Content-Encoding', 'gzip'], body: 'x' })],
			[403, await at.get('/control/clock', ...xml)]
		];
		for (const [status, response] of responses) {
			equal(response.status, status, response.text);
			isXml(response);
			const OAuth = fieldsOf(parse(response).OAuth);
			equal(Object.keys(OAuth), ['error', 'error_description']);
		}
	}),
	testCase('EN-03 RM-02 reports an unknown sandbox in the format of the API', async (at) => {
		const received = await at.transport.send({ target: '/~unknown/ws/v2.0/ratelimits', headers: xml });
		equal(received?.status, 404);
		matches(received?.body, '<OAuth><error>not_found</error>');
	}),
	hostCase('EN-03 negotiates by Accept, prefers JSON, and never sends 406', async (at) => {
		const table: [string, 'json' | 'xml'][] = [
			...(['*/*', '', 'application/json', 'text/html,application/xhtml+xml,*/*;q=0.8', 'junk', ';;;,,,', 'a/b;q=x'].map(
				(accept) => [accept, 'json']
			) satisfies [string, 'json'][]),
			['application/xml', 'xml'],
			['text/xml', 'xml'],
			['APPLICATION/XML', 'xml'],
			['text/xml;q=0.9,application/json', 'json'],
			['application/json;q=0.5, application/xml', 'xml'],
			['application/xml;q=0.5, application/json;q=0.5', 'json'],
			['application/xml, */*;q=0.1', 'xml'],
			['application/xml;q=0', 'json'],
			['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'xml'],
			['x/y,'.repeat(2000), 'json'],
			['application/xml;q=2', 'json']
		];
		for (const [accept, format] of table) {
			const response = await at.get('/ws/v2.0/ratelimits', 'Accept', accept);
			equal(response.status, 401, accept.slice(0, 60));
			matches(response.header('content-type'), `application/${format}; charset=utf-8`, accept.slice(0, 60));
			matches(response.header('vary'), 'Accept');
			equal(response.header('x-content-type-options'), 'nosniff');
		}
		matches((await at.get('/ws/v2.0/ratelimits')).header('content-type'), 'application/json', 'no Accept');
	}),
	hostCase('EN-04 validates JSON bodies: no pollution, no overflow', async (at) => {
		const raw = (body: string, path = 'settings', method = 'PATCH') =>
			at.send({
				method,
				target: `/control/${path}`,
				headers: ['X-Tollgate-Key', at.key, 'Content-Type', 'application/json'],
				body
			});
		const bodies = [
			'{"__proto__":{"strict":false}}',
			'{"constructor":{"prototype":{"strict":false}}}',
			'{"extra":1}',
			'',
			'null',
			'[]',
			'{"limits":{"character":"5"}}',
			'{"limits":{"character":5.5}}',
			'{"limits":{"character":-1}}',
			'"x"',
			'{',
			'NaN',
			'{"limits":{"character":1e999}}',
			'{"strict":"false"}',
			`{"limits":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
			'['.repeat(30_000),
			'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
		];
		const before = (await at.control('GET', 'settings')).text;
		for (const body of bodies) {
			const response = await raw(body);
			equal([response.status, response.error], [400, 'invalid_request'], body.slice(0, 60));
		}
		const long = await raw(`{"limits":${'['.repeat(100_000)}`);
		equal(long.status, 413);
		equal((await at.control('GET', 'settings')).text, before);
		equal(Object.getOwnPropertyNames(Object.prototype).includes('strict'), false);
		for (const field of ['owner', 'sandbox', 'client_id', 'isAdmin', 'scopes', '__proto__', 'secret']) {
			const body = `{"name":"x","kind":"installed","${field}":"character-viewer"}`;
			equal((await raw(body, 'applications', 'POST')).status, 400, field);
		}
		const twice = await raw('{"strict":true,"strict":false}');
		ok(twice.status === 200 || twice.status === 400, 'a key twice is harmless');
	}),
	hostCase('EN-04 requires the content type of JSON', async (at) => {
		for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', '']) {
			const headers = ['X-Tollgate-Key', at.key, 'Content-Type', type];
			const body = '{"advance":1}';
			equal((await at.send({ method: 'POST', target: '/control/clock', headers, body })).status, 400, type);
		}
	})
];

function parse(response: TestResponse): Readonly<Record<string, unknown>> {
	return fieldsOf(parser.parse(response.text));
}

function isXml(response: TestResponse): void {
	matches(response.header('content-type'), /^application\/xml; ?charset=utf-8$/i);
	ok(response.text.startsWith('<?xml version="1.0" encoding="UTF-8"?>'), response.text.slice(0, 60));
	equal(XMLValidator.validate(response.text), true, response.text);
	matches(response.header('vary'), 'Accept');
}

/** Data as a reader of XML sees it: every value a text, a list as its items. */
function textOf(data: unknown): unknown {
	if (Array.isArray(data)) {
		const items = data.map(textOf);
		if (data.every((item) => typeof item === 'object')) return items;
		return { item: items.length === 1 ? items[0] : items };
	}
	if (typeof data !== 'object' || data === null) return String(data);
	return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, textOf(value)]));
}
