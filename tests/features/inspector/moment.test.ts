import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { LinkError, maxLinkLength, writeFragment } from '#client/packed-link.ts';
import {
	momentOfExchange,
	momentOfFlow,
	titleOf,
	type Moment,
	type MomentSource
} from '#features/inspector/moment/moment.ts';
import { createMomentLink, readMomentLink } from '#features/inspector/moment/moment-link.ts';
import { explainFailure } from '#features/inspector/explain-failure.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { codePoint } from '../../code-point.ts';
import { createTestService } from '../../service/test-service.ts';
import { recordFlow } from './record-flow.ts';
import { failedAt, timelineEntry } from './timeline-entry.ts';

const root = 'https://tollgate.test/demo';
const hashOf = async (content: Moment) => new URL(await createMomentLink(root, content)).hash;
let entries: TrafficEntry[];
let secrets: string[];
let source: MomentSource;

beforeAll(async () => {
	({ entries, secrets } = await recordFlow(await createTestService().sandbox()));
	const [first] = entries;
	const events = [
		{
			source: 'tollgate-viewer 12345678',
			seq: 1,
			at: first?.at ?? 0,
			kind: 'event' as const,
			type: 'state_verified',
			requestId: first?.id ?? '',
			message: 'state verified',
			fields: []
		}
	];
	source = {
		all: entries,
		events,
		applications: new Map([
			['character-viewer', 'Character Viewer'],
			['x', 'Other']
		])
	};
});

describe('the link', () => {
	test('contains a flow and its explanation, and leads to the page of the root sandbox', async () => {
		const flow = momentOfFlow(entries[0]?.flow ?? '', source, 'character');
		const link = new URL(await createMomentLink(root, flow));
		expect([link.origin + link.pathname, link.search]).toEqual([`${root}/moment`, '']);
		expect(link.href.length).toBeLessThan(maxLinkLength);
		expect(await readMomentLink(link.hash)).toEqual(flow);
		expect(flow.events).toHaveLength(1);
		expect(flow.applications).toEqual([['character-viewer', 'Character Viewer']]);
		expect(titleOf(flow)).toBe('Flow: Signed in');
	});

	test('explains one exchange as its sandbox does', async () => {
		for (const entry of entries) {
			const read = await readMomentLink(await hashOf(momentOfExchange(entry, source, 'character')));
			const own = read.entries.find(({ id }) => id === read.exchange);
			expect(own).toEqual(entry);
			expect(own && explainFailure(own, read.entries)).toEqual(explainFailure(entry, entries));
		}
	});

	test('contains no secret', async () => {
		const flows = [...new Set(entries.map(({ flow = '' }) => flow))];
		for (const flow of flows) {
			const text = JSON.stringify(await readMomentLink(await hashOf(momentOfFlow(flow, source, 'character'))));
			for (const secret of secrets) expect(text).not.toContain(secret);
		}
	});

	test('keeps every text as it was', async () => {
		const text = fc.string({ unit: codePoint });
		const pairs = fc.array(fc.tuple(text, text), { maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(text, text, pairs, pairs, text, async (path, body, headers, applications, detail) => {
				const entry = timelineEntry(1, {
					request: { method: 'GET', target: `/${path}`, headers, body },
					trace: failedAt(detail)
				});
				const content = momentOfExchange(
					entry,
					{ all: [entry], events: [], applications: new Map(applications) },
					body
				);
				expect(await readMomentLink(await hashOf(content))).toEqual(content);
			}),
			{ numRuns: 30 }
		);
	});

	test('is rejected with a sentence after any change', async () => {
		const [entry = timelineEntry(1)] = entries;
		const hash = await hashOf(momentOfExchange(entry, source, 'character'));
		const change = fc.record({ at: fc.nat(hash.length - 1), by: fc.string({ maxLength: 3 }), cut: fc.nat(5) });
		await fc.assert(
			fc.asyncProperty(change, async ({ at, by, cut }) => {
				const changed = hash.slice(0, at) + by + hash.slice(at + cut);
				fc.pre(changed.replace(/^#/, '') !== hash.slice(1));
				await expect(readMomentLink(changed)).rejects.toThrow(LinkError);
			}),
			{ numRuns: 100 }
		);
	});

	test('says what is wrong with other content', async () => {
		const fragment = async (text: string) => writeFragment(new Uint8Array(deflateRawSync(text)));
		const valid = momentOfExchange(timelineEntry(1), { all: [], events: [], applications: new Map() }, 'character');
		const json = (part: object) => JSON.stringify({ ...valid, ...part });
		for (const [hash, message] of [
			['', 'no content'],
			['#', 'no content'],
			['#abc', 'damaged or incomplete'],
			[`#${'x'.repeat(maxLinkLength)}`, 'too long'],
			[await fragment('null'), 'does not contain an exchange'],
			[await fragment('not JSON'), 'does not contain an exchange'],
			[await writeFragment(new Uint8Array([1, 2, 3])), 'does not contain an exchange'],
			[await fragment(json({ version: 2 })), 'at version'],
			[await fragment(json({ entries: [] })), 'at entries'],
			[await fragment(json({ entries: [timelineEntry(1, { at: 1e300 })] })), 'does not contain an exchange'],
			[await fragment(json({ entries: [timelineEntry(1), timelineEntry(1)] })), 'does not contain an exchange'],
			[await fragment(json({ exchange: 'other' })), 'does not contain an exchange'],
			[await fragment(' '.repeat(2 * 1024 * 1024)), 'too large']
		] as const) {
			await expect(readMomentLink(hash), hash.slice(0, 40)).rejects.toThrow(LinkError);
			await expect(readMomentLink(hash), hash.slice(0, 40)).rejects.toThrow(message);
		}
	});
});
