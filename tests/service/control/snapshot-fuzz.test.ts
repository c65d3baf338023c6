import { hash } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { createTestService } from '../test-service.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';

// Another run: TOLLGATE_SEED=7 npx vitest run tests/service/control/snapshot-fuzz.test.ts
const seed = Number(process.env.TOLLGATE_SEED ?? 20_000);
const numRuns = import.meta.env.MODE === 'nightly' ? 3000 : 300;
const latest = Date.UTC(2201, 0, 1);

/** Values that no field of a snapshot expects, or nearly does. */
const oddities: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom<unknown>(null, true, '', 'NaN', 'Infinity', '-1', [], {}, [[]], { a: { b: {} } }),
	fc.constantFrom<unknown>(-1, -0.5, 0.5, 1e12, 1e15, 1e16, 8.64e15, 9e15, 1e21, 1e308, -1e308),
	fc.constantFrom<unknown>('\ud800', '\u202e', 'a\nb', '\u0000', '__proto__', 'x'.repeat(3000), '<script>'),
	fc.jsonValue({ maxDepth: 3 })
);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A copy in which the value at one of its places is another. */
function changed(value: unknown, place: number, other: unknown): unknown {
	let left = place;
	const copy = (node: unknown): unknown => {
		if (left-- === 0) return other;
		if (Array.isArray(node)) return node.map(copy);
		if (!isObject(node)) return node;
		return Object.fromEntries(Object.entries(node).map(([name, field]) => [name, copy(field)]));
	};
	return copy(value);
}

function placesOf(value: unknown): number {
	if (!isObject(value)) return 1;
	return Object.values(value).reduce((sum: number, field) => sum + placesOf(field), 1);
}

const fileOf = (content: unknown) => ({
	format: 'tollgate-snapshot',
	version: 1,
	checksum: hash('sha256', JSON.stringify(content), 'base64url'),
	content
});

const snapshot = v.object({ content: v.looseObject({}) });
async function contentOf(at: Sandbox): Promise<unknown> {
	return (await at.controlled('GET', 'snapshot')).as(snapshot).content;
}

/** A sandbox in which every kind of record is there. */
async function lively() {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.user().offline();
	await at.user().code();
	await at.changeSettings({ limits: { ratelimits: 1, blacklist_after_refused: 1 } });
	for (let call = 0; call < 3; call++) await at.from('10.0.0.9').trySend({ target: '/ws/v2.0/ratelimits' });
	return { tested, at, content: await contentOf(at) };
}

/** What shows the records of a sandbox. */
const shows = ['/ratelimiting', '/account', '/control/tickets', '/ws/v2.0/ratelimits'];
const lists = ['applications', 'accounts', 'blacklist', 'tickets', 'clock', 'settings'];

it('HT-14 a snapshot with any one thing wrong is rejected with its place, or is one that the sandbox can be in', async () => {
	const { tested, at, content } = await lively();
	const places = placesOf(content);
	const change = fc.tuple(fc.nat(places - 1), oddities);
	for (const [place, other] of fc.sample(change, { numRuns, seed })) {
		const sent = changed(content, place, other);
		const said = JSON.stringify(sent).slice(0, 3000);
		const before = JSON.stringify(await contentOf(at));
		const response = await at.control('PUT', 'snapshot', fileOf(sent));
		expect([200, 400], said).toContain(response.status);
		const after = JSON.stringify(await contentOf(at));
		if (response.status === 400) {
			expect(response.text, said).toMatch(/"error":"invalid_request"/);
			expect(response.text, said).toMatch(/ at [a-z_]+(\.[a-z_0-9]+)*[.:]/);
			expect(after, said).toBe(before);
		} else {
			expect(await at.now(), said).toBeLessThan(latest);
			for (const target of shows) await at.from('10.0.0.9').trySend({ target });
			for (const path of lists) expect((await at.control('GET', path)).status, said).toBe(200);
			expect((await at.control('PUT', 'snapshot', fileOf(JSON.parse(after)))).status, said).toBe(200);
			expect(JSON.stringify(await contentOf(at)), said).toBe(after);
		}
	}
	expect(tested.faults).toEqual([]);
});

it('EN-04 nesting, however deep, and a million records are rejected and change nothing', async () => {
	const { tested, at, content } = await lively();
	const before = JSON.stringify(await contentOf(at));
	const put = async (body: string) => {
		const headers = ['X-Tollgate-Key', at.key, 'Content-Type', 'application/json'];
		const { status, text } = await at.send({ method: 'PUT', target: '/control/snapshot', headers, body });
		expect([400, 413], text).toContain(status);
	};
	for (let depth = 500; depth < 1_000_000; depth *= 3) {
		const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
		await put(nested);
		await put(`{"format":"tollgate-snapshot","version":1,"checksum":"","content":${nested}}`);
		await put(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
	}
	for (const kind of ['account', 'window', 'family', 'application']) {
		const record = kind === 'family' ? ['a', {}] : 0;
		const records = { ...(isObject(content) && isObject(content.records) ? content.records : {}) };
		await put(
			JSON.stringify(
				fileOf({ ...(isObject(content) ? content : {}), records: { ...records, [kind]: Array(400_000).fill(record) } })
			)
		);
	}
	expect(JSON.stringify(await contentOf(at))).toBe(before);
	expect(tested.faults).toEqual([]);
});

it('RM-06 a clock that a snapshot would set beyond the year 2200 is rejected; one at the end goes on, never back', async () => {
	const { tested, at, content } = await lively();
	const beyond = { ...(isObject(content) ? content : {}), offset: latest - tested.clock + 1 };
	const response = await at.control('PUT', 'snapshot', fileOf(beyond));
	expect([response.status, response.text]).toEqual([400, expect.stringContaining('at content.offset: ')]);
	await at.advance(100 * 366 * 24 * 3600);
	await at.advance(100 * 366 * 24 * 3600);
	expect(await at.now()).toBe(Date.UTC(2200, 0, 1));
	tested.clock += 5_000;
	await at.advance(1);
	expect(await at.now()).toBe(Date.UTC(2200, 0, 1) + 5_000);
	const file = (await at.controlled('GET', 'snapshot')).json();
	tested.clock += 5_000;
	expect((await at.control('PUT', 'snapshot', file)).status).toBe(200);
	expect(await at.now()).toBe(Date.UTC(2200, 0, 1) + 10_000);
});
