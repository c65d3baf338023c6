import { beforeEach, expect, test } from 'vitest';
import { Inspector } from '#features/inspector/inspector.svelte.ts';
import type { SharedEvent } from '#client/storage/tab-state.svelte.ts';
import { timelineEntry } from './timeline-entry.ts';

const log = [
	timelineEntry(1, { flow: 'f1', client_id: 'a' }),
	timelineEntry(2, { flow: 'f2', client_id: 'b' }),
	timelineEntry(3, { flow: 'f1', client_id: 'a', endpoint: 'token' }),
	timelineEntry(4)
];
const event: SharedEvent = { seq: 1, at: 0, kind: 'event', message: 'Refreshed', fields: [], source: 'tab' };
const numbers = (entries: Inspector['entries']) => entries.map(({ seq }) => seq);
let inspector: Inspector;

beforeEach(() => {
	inspector = new Inspector();
	inspector.entries = log;
	inspector.events = [event];
});

test('shows the exchanges up to a position, and new ones only without one', () => {
	inspector.position = 3;
	inspector.entries = [...log, timelineEntry(5)];
	expect(numbers(inspector.shown)).toEqual([1, 2, 3]);
	inspector.position = undefined;
	expect(numbers(inspector.shown)).toEqual([1, 2, 3, 4, 5]);
});

test('filters what is shown, also a growing log', () => {
	inspector.setFilter('client_id', 'a');
	expect(numbers(inspector.filtered)).toEqual([1, 3]);
	inspector.entries = [...log, timelineEntry(5, { client_id: 'a' })];
	expect(numbers(inspector.filtered)).toEqual([1, 3, 5]);
	inspector.setFilter('endpoint', 'token');
	inspector.position = 2;
	expect(numbers(inspector.filtered)).toEqual([]);
	inspector.clearFilter();
	expect(numbers(inspector.filtered)).toEqual([1, 2]);
});

test('finds the word that the world has for its resource', () => {
	inspector.setFilter('q', 'account');
	expect(inspector.filtered).toEqual([]);
	inspector.noun = 'account';
	expect(numbers(inspector.filtered)).toEqual([1, 2, 4]);
});

test.each([
	['client_id', 1],
	['user', 1],
	['flow', 1],
	['endpoint', 0],
	['status', 0],
	['outcome', 0],
	['q', 0]
] as const)('with a filter by %s it shows %i events of clients', (field, count) => {
	inspector.setFilter(field, 'token');
	expect(inspector.filteredEvents).toHaveLength(count);
});

test('shows the flow of the filter, else that of the selected exchange, else the newest', () => {
	expect([inspector.flow, numbers(inspector.flowEntries)]).toEqual(['f1', [1, 3]]);
	inspector.selectedId = 'id-2';
	expect([inspector.flow, numbers(inspector.flowEntries)]).toEqual(['f2', [2]]);
	inspector.setFilter('flow', 'f1');
	expect(inspector.flow).toBe('f1');
});

test('selects an exchange of the log, or one that was read on its own', () => {
	expect(inspector.selected).toBeUndefined();
	inspector.selectedId = 'id-3';
	expect(inspector.selected?.seq).toBe(3);
	inspector.single = timelineEntry(9);
	expect(inspector.selected?.seq).toBe(3);
	inspector.selectedId = 'id-9';
	expect(inspector.selected?.seq).toBe(9);
	inspector.selectedId = 'id-8';
	expect(inspector.selected).toBeUndefined();
});

test('a file takes the place of the log, without its selection, position and filter', () => {
	Object.assign(inspector, { selectedId: 'id-1', comparedId: 'id-2', position: 1 });
	inspector.setFilter('client_id', 'a');
	inspector.openFile({ name: 'x.har', entries: [timelineEntry(7), timelineEntry(8)] });
	expect([numbers(inspector.filtered), inspector.filteredEvents]).toEqual([[7, 8], []]);
	expect(inspector).toMatchObject({ selectedId: undefined, comparedId: undefined, position: undefined, search: '' });
	inspector.openFile(undefined);
	expect([numbers(inspector.filtered), inspector.filteredEvents]).toEqual([[1, 2, 3, 4], [event]]);
});

test('its query restores view, filter and selection', () => {
	Object.assign(inspector, { view: 'diagram', selectedId: 'id-3' });
	inspector.setFilter('client_id', 'a');
	const { search } = inspector;
	const other = new Inspector();
	other.setSearch(search);
	expect([other.view, other.filter.client_id, other.selectedId, other.search]).toEqual([
		'diagram',
		'a',
		'id-3',
		search
	]);
	other.setSearch('');
	expect(other.search).toBe('');
});
