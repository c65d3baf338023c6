import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { exportFormats, toHar } from '#features/inspector/export/formats.ts';
import { readTrafficFile, toTrafficFile } from '#features/inspector/export/traffic-file.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { createTestService } from '../../service/test-service.ts';
import { logged } from './logged-exchange.ts';
import { recordFlow } from './record-flow.ts';

const load = createRequire(import.meta.url);
const har = v.object({
	log: v.object({
		pages: v.array(v.object({ id: v.string() })),
		entries: v.array(v.object({ pageref: v.string(), request: v.object({ url: v.string() }) }))
	})
});
let entries: TrafficEntry[];
let secrets: string[];
let baseUrl: string;

beforeAll(async () => {
	const at = await createTestService().sandbox();
	({ entries, secrets } = await recordFlow(at));
	baseUrl = at.base_url;
});

test('the HAR is valid by the schema of HAR 1.2, and each URL in it is one', () => {
	const schemas: Record<string, object> = load('har-schema');
	const ajv = new Ajv({ strict: false, validateFormats: false });
	ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json'));
	for (const schema of Object.values(schemas)) ajv.addSchema(schema);
	const written: unknown = JSON.parse(JSON.stringify(toHar(entries, 'https://tollgate.test')));
	expect([ajv.validate('har.json#', written), ajv.errors]).toEqual([true, null]);
	const { log } = v.parse(har, written);
	expect(log.entries).toHaveLength(entries.length);
	const pages = log.pages.map(({ id }) => id);
	expect(pages).toHaveLength(2);
	for (const { request, pageref } of log.entries) {
		expect(URL.canParse(request.url)).toBe(true);
		expect(pages).toContain(pageref);
	}
});

test('an exported HAR or JSON file is read again as it was', () => {
	expect(readTrafficFile(JSON.stringify(toHar(entries, 'https://tollgate.test')), [])).toEqual(entries);
	expect(readTrafficFile(JSON.stringify(toTrafficFile(entries)), [])).toEqual(entries);
});

test('a file of version 1 is read, and its markers become references', () => {
	const text = readFileSync(new URL('traffic-v1.json', import.meta.url), 'utf8');
	const read = readTrafficFile(text, []);
	expect(read).toHaveLength(15);
	const exchange = read.find(({ endpoint }) => endpoint === 'token');
	const { values = [], references = [] } = exchange ?? {};
	expect(references.map(({ pointer, value }) => [pointer, values[value]?.label])).toEqual([
		['/request/body', 'code 1'],
		['/request/body', 'client secret 1'],
		['/request/body', 'code verifier 1'],
		['/response/body', 'access token 1'],
		['/response/body', 'refresh token 1']
	]);
	expect(exchange?.request.body).toMatch(/&code=3hxFHn…&.*&client_secret=••••&/);
	// Clients typed these texts.
	const typed = read.flatMap(({ request }) => [...`${request.target} ${request.body}`.matchAll(/‹.*?›/g)].map(String));
	expect(typed).toEqual(['‹code 1›', '‹code 7›']);
	const { entries: stored } = v.parse(
		v.object({ entries: v.array(v.record(v.string(), v.unknown())) }),
		JSON.parse(text)
	);
	const archive = { log: { entries: stored.map((entry) => ({ _tollgate: entry })) } };
	expect(readTrafficFile(JSON.stringify(archive), [])).toEqual(read);
	expect(readTrafficFile(JSON.stringify(toTrafficFile(read)), [])).toEqual(read);
});

test('a HAR shows labels in place of secrets', () => {
	const written = JSON.stringify(toHar(entries, 'https://tollgate.test'));
	for (const text of ['code=‹code 1 ', '"value":"‹state 1›"', 'OAuth ‹access token 2 '])
		expect(written).toContain(text);
});

test('a file that is no export shows a sentence', () => {
	expect(() => readTrafficFile('<html>', entries)).toThrow('The file is not JSON.');
	for (const other of ['{}', '[]', 'null', '{"log":{"entries":[{}]}}', '{"log":{"version":"1.2","entries":[{"a":1}]}}'])
		expect(() => readTrafficFile(other, entries)).toThrow('The file does not contain recorded exchanges.');
});

test('a HAR of another program shows the exchanges of the log with the same X-Request-Id', () => {
	const recorded = (id: string) =>
		JSON.stringify({
			log: {
				creator: { name: 'WebInspector' },
				entries: [{ response: { headers: [] } }, { response: { headers: [{ name: 'x-request-id', value: id }] } }]
			}
		});
	const [, second] = entries;
	expect(readTrafficFile(recorded(second?.id ?? ''), entries)).toEqual([second]);
	expect(() => readTrafficFile(recorded('unknown'), entries)).toThrow(
		'WebInspector recorded this file, and the log of this sandbox has none of its requests.'
	);
});

test('a file with a target of another host is rejected', () => {
	for (const target of ['@evil.example/x', '.evil.example', 'https://evil.example/'])
		expect(() =>
			readTrafficFile(JSON.stringify(toTrafficFile([logged({ request: { ...logged().request, target } })])), [])
		).toThrow('The file does not contain recorded exchanges.');
});

test('IN-01 no export contains a secret of the recording', () => {
	const exports = exportFormats.map(({ write }) => write(entries, baseUrl, 'character'));
	expect(exports).toHaveLength(3);
	expect(secrets).toHaveLength(10);
	for (const text of exports) expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
