import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import ts from 'typescript';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { exportFormats } from '#features/inspector/export/formats.ts';
import { toHar } from '#features/inspector/export/har.ts';
import { runnableRecording } from '#features/inspector/export/runnable-recording.ts';
import { toTestFile } from '#features/inspector/export/test-file.ts';
import { readTrafficFile, toTrafficFile } from '#features/inspector/export/traffic-file.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { upgradeTrafficEntry } from '#api/earlier-traffic-entry.ts';
import { codePoint } from '../../code-point.ts';
import { createTestService } from '../../service/test-service.ts';
import { logged, withBody } from './logged-exchange.ts';
import { recordFlow } from './record-flow.ts';
import { failedAt, timelineEntry } from './timeline-entry.ts';

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

test('the test of a flow begins with the earlier flows of its user, which signed in', () => {
	const flow = entries.at(-1)?.flow;
	const later = entries.filter((entry) => entry.flow === flow);
	expect(later.length).toBeLessThan(entries.length);
	expect(runnableRecording(later, entries)).toEqual(entries);
	const other = { flow: 'other', username: 'player-two', seq: 0 };
	expect(runnableRecording(later, [...entries.map((entry) => ({ ...entry, ...other })), ...entries])).toEqual(entries);
});

test('a test leaves out the responses of faults', () => {
	const ofFault = timelineEntry(99, { trace: failedAt('fault.not_injected') });
	expect(runnableRecording([...entries, ofFault], [...entries, ofFault])).toEqual(entries);
});

test('a secret that the log hides without a label has the name of its field', () => {
	const body = 'client_id=character-viewer&client_secret=••••';
	expect(toTestFile([withBody(body)], baseUrl, 'vitest')).toContain(
		'"client_id=character-viewer&client_secret=" + encodeURIComponent(environment("CLIENT_SECRET"))'
	);
});

test('a test names the environment variables of hidden values from a fixed list, and lists them', () => {
	const entry = withBody('aws_secret_access_key=••••&password=••••');
	const source = toTestFile([{ ...entry, request: { ...entry.request, target: '/?path=••••' } }], baseUrl, 'vitest');
	const read = [...source.matchAll(/environment\("(\w+)"\)/g)].map(([, name]) => name);
	expect(read).toEqual(['TOLLGATE_VALUE_1', 'TOLLGATE_VALUE_2', 'PASSWORD']);
	expect(source).toContain('// Secrets: set TOLLGATE_VALUE_1, TOLLGATE_VALUE_2, PASSWORD.');
});

test('a test sends requests below the base URL only', () => {
	const entry = withBody('');
	const target = `${new URL(baseUrl).pathname}@evil.example/x`;
	const source = toTestFile([{ ...entry, request: { ...entry.request, target } }], baseUrl, 'vitest');
	expect(source).toContain(`base + ${JSON.stringify(target)}`);
});

test('a file with a target of another host is rejected', () => {
	for (const target of ['@evil.example/x', '.evil.example', 'https://evil.example/'])
		expect(() =>
			readTrafficFile(JSON.stringify(toTrafficFile([logged({ request: { ...logged().request, target } })])), [])
		).toThrow('The file does not contain recorded exchanges.');
});

test('IN-01 no export contains a secret of the recording', () => {
	const exports = exportFormats.map(({ write }) => write(entries, baseUrl, entries));
	expect(exports).toHaveLength(5);
	expect(secrets).toHaveLength(10);
	for (const text of exports) expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

/** Texts that end a string, a comment or a template, and everything else. */
const hostile = fc.oneof(
	fc.constantFrom(
		'`${process.exit()}',
		'"; throw 1; //',
		"'); throw 1; //",
		'\\',
		'\u2028throw 1',
		'*/ throw 1',
		'\n}'
	),
	fc.string({ unit: codePoint, maxLength: 60 }),
	fc.constantFrom('‹code 1 `${x}…›', '‹code 999 GQVJab…›', '‹x-y 1›')
);

test('IN-02 hostile messages stay inside the strings and comments of the exported test', () => {
	const statements = (recorded: readonly TrafficEntry[], framework: 'vitest' | 'playwright') => {
		const source = toTestFile(recorded, baseUrl, framework);
		const { diagnostics = [] } = ts.transpileModule(source, { reportDiagnostics: true });
		expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
		return kindsOf(ts.createSourceFile('flow.test.ts', source, ts.ScriptTarget.Latest, true));
	};
	const [first] = entries;
	if (first === undefined) throw new Error('The recording is empty.');
	const harmless = statements(
		[{ ...first, request: { ...first.request, target: '/', headers: [['Accept', 'a']] } }],
		'vitest'
	);
	fc.assert(
		fc.property(hostile, hostile, hostile, (method, text, body) => {
			const header = (name: string): [string, string][] => [[name, text]];
			const request = { method, target: `/${text}`, headers: header('Accept'), body };
			const response = { status: 400, headers: header('Content-Type'), body: text };
			const entry: TrafficEntry = { ...first, client_id: text, username: body, request, response, values: [] };
			// A marker in a message may declare a variable. Nothing else adds a statement.
			const added = statements([entry], 'vitest').filter((kind) => !harmless.includes(kind));
			expect(added).toEqual([]);
		}),
		{ numRuns: 40 }
	);
});

test('a test declares each variable that it names', () => {
	const label = fc.constantFrom('code 1', 'Code 1', 'code 01', 'code verifier 2', 'response 1', 'PATH 1', 'state 3');
	const value = fc.record({ label, preview: fc.constantFrom('', 'GQVJab…'), id: fc.constantFrom('', 'id') });
	const marker = value.map((one) => `‹${one.label}${one.preview === '' ? '' : ` ${one.preview}`}›`);
	const text = fc.array(fc.oneof(marker, fc.constantFrom('••••', 'code_challenge=id', '&')), { maxLength: 4 });
	const [first] = entries;
	if (first === undefined) throw new Error('The recording is empty.');
	const reference = fc.record({
		pointer: fc.constantFrom('/request/target', '/request/body', '/response/body', ''),
		start: fc.integer({ min: -1, max: 20 }),
		end: fc.integer({ min: -1, max: 40 }),
		value: fc.integer({ min: -1, max: 4 })
	});
	const lists = [fc.array(value, { maxLength: 4 }), fc.array(reference, { maxLength: 4 })] as const;
	fc.assert(
		fc.property(text, text, ...lists, (sent, received, values, forged) => {
			const request = { method: 'GET', target: `/${sent.join('')}`, headers: [], body: sent.join('') };
			const { references: _, ...recorded } = first;
			const response = { status: 200, headers: [], body: received.join('') };
			const upgraded = upgradeTrafficEntry({ ...recorded, request, response, values });
			const entry = { ...upgraded, references: [...upgraded.references, ...forged] };
			const source = toTestFile([entry, { ...entry, id: 'second' }], baseUrl, 'vitest');
			const declared = [...source.matchAll(/^\t(?:const|let) (\w+)/gm)].map(([, name]) => name);
			const read = [...source.matchAll(/(?:encodeURIComponent|challengeOf)\((\w+)\)/g)].map(([, name]) => name);
			expect(new Set(declared).size).toBe(declared.length);
			expect(read.filter((name) => !['base', 'verifier', ...declared].includes(name))).toEqual([]);
		})
	);
});

/** The kinds of all statements of a program. */
function kindsOf(file: ts.SourceFile): string[] {
	const kinds: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStatement(node)) kinds.push(ts.SyntaxKind[node.kind]);
		ts.forEachChild(node, visit);
	};
	ts.forEachChild(file, visit);
	return kinds;
}
