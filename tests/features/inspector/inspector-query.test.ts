import { describe, expect, test } from 'vitest';
import { FilterChoices } from '#features/inspector/filter-choices.ts';
import { FilteredEntries } from '#features/inspector/inspector.svelte.ts';
import {
	emptyFilter,
	type InspectorFilter,
	matcher,
	readInspectorQuery,
	writeInspectorQuery
} from '#features/inspector/inspector-filter.ts';
import { failedAt, timelineEntry } from './timeline-entry.ts';

const entries = [
	timelineEntry(1, { endpoint: 'auth', client_id: 'a', flow: 'f1', username: 'player-one' }),
	timelineEntry(2, {
		endpoint: 'token',
		client_id: 'a',
		flow: 'f1',
		trace: failedAt('token.code_not_used'),
		response: { status: 400, headers: [['X-Request-Id', 'id-2']], body: '{"error":"invalid_grant"}' }
	}),
	timelineEntry(3, { client_id: 'b', response: null })
];
const found = (part: Partial<InspectorFilter>) =>
	entries.filter(matcher({ ...emptyFilter, ...part })).map(({ seq }) => seq);

describe('a filter', () => {
	test.each<[Partial<InspectorFilter>, number[]]>([
		[{}, [1, 2, 3]],
		[{ client_id: 'a' }, [1, 2]],
		[{ endpoint: 'token' }, [2]],
		[{ status: '4xx' }, [2]],
		[{ status: '400' }, [2]],
		[{ status: 'none' }, [3]],
		[{ outcome: 'failed' }, [2]],
		[{ outcome: 'passed' }, [1]],
		[{ outcome: 'no_response' }, [3]],
		[{ user: 'player-one' }, [1]],
		[{ flow: 'f1', status: '2xx' }, [1]],
		[{ q: 'INVALID_grant code_not_used' }, [2]],
		[{ q: 'id-3' }, [3]]
	])('%j finds %j', (part, expected) => expect(found(part)).toEqual(expected));

	test('offers the values that the exchanges have', () => {
		const choices = new FilterChoices();
		const values = (log: typeof entries) =>
			Object.entries(choices.update(log)).map(([field, list]) => [field, ...list.map(({ value }) => value)]);
		expect(values(entries)).toEqual([
			['client_id', 'a', 'b'],
			['endpoint', 'auth', 'character', 'token'],
			['status', '2xx', '4xx', 'none'],
			['user', 'player-one'],
			['flow', 'f1']
		]);
		expect(choices.update(entries).flow[0]?.label).toBe('00:00:01 · a · player-one');
		expect(values([...entries.slice(2), timelineEntry(4, { flow: 'f2' })])).toEqual([
			['client_id', 'b'],
			['endpoint', 'character'],
			['status', '2xx', 'none'],
			['user'],
			['flow', 'f2']
		]);
	});

	test('names the endpoint of a resource by the noun of the world', () => {
		const choices = new FilterChoices();
		expect(choices.update(entries).endpoint.map(({ label }) => label)).toEqual(['auth', 'character', 'token']);
		expect(choices.update(entries, String, 'bank account').endpoint).toEqual([
			{ value: 'auth', label: 'auth' },
			{ value: 'character', label: 'bank account' },
			{ value: 'token', label: 'token' }
		]);
	});

	test('offers the same values until an exchange has another one', () => {
		const choices = new FilterChoices();
		const before = choices.update(entries);
		expect(choices.update([...entries, timelineEntry(4, { client_id: 'b' })])).toBe(before);
	});

	test('finds the same in a growing log as in a whole one', () => {
		const log = Array.from({ length: 9 }, (_, index) =>
			timelineEntry(index, { endpoint: index % 3 === 0 ? 'token' : 'auth' })
		);
		const filter = { ...emptyFilter, endpoint: 'token' };
		const filtered = new FilteredEntries(filter);
		for (const [start, end] of [
			[0, 0],
			[0, 4],
			[1, 6],
			[4, 9],
			[4, 6],
			[0, 9]
		]) {
			const part = log.slice(start, end);
			expect(filtered.update(part)).toEqual(part.filter(matcher(filter)));
		}
	});
});

describe('the query of the page', () => {
	test('contains view, filters and selection, and nothing by default', () => {
		const query = {
			view: 'diagram',
			filter: { ...emptyFilter, endpoint: 'token', status: '4xx', q: 'a&b =' },
			request: 'id-2'
		} as const;
		const search = writeInspectorQuery(query);
		expect(search).toBe('?view=diagram&endpoint=token&status=4xx&q=a%26b+%3D&request=id-2');
		expect(readInspectorQuery(search)).toEqual(query);
		expect(writeInspectorQuery(readInspectorQuery(''))).toBe('');
	});

	test('ignores unknown views and cuts long values off', () => {
		const { view, filter } = readInspectorQuery(`?view=other&flow=${'x'.repeat(300)}`);
		expect([view, filter.flow.length]).toEqual(['timeline', 200]);
	});
});

test('an application is found by a part of its name, and by its whole id only', () => {
	const all = [timelineEntry(1, { client_id: 'viewer' }), timelineEntry(2, { client_id: 'c2' }), timelineEntry(3)];
	const names = new Map([
		['viewer', 'Report Bot'],
		['c2', 'Character Viewer']
	]);
	const found = (client_id: string) => all.filter(matcher({ ...emptyFilter, client_id }, names)).map(({ seq }) => seq);
	expect(found('report')).toEqual([1]);
	expect(found('Character V')).toEqual([2]);
	expect(found('viewer')).toEqual([1]);
	expect(found('none')).toEqual([]);
});
