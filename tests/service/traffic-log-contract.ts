import { beforeEach, describe, expect, it } from 'vitest';
import type { LazyTrafficEntry } from '#service/traffic/logged-exchange.ts';
import type { TrafficLog } from '#service/traffic/traffic-log.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';

/** A log, and a wait until it has stored what was appended. */
export type TestedLog = { readonly log: TrafficLog; readonly stored: () => Promise<void> };

/** Tests that a log keeps what `TrafficLog` promises. `make` returns an empty one that holds at least 10 entries. */
export function testTrafficLog(name: string, make: () => Promise<TestedLog>): void {
	describe(`traffic log: ${name}`, () => {
		let log: TrafficLog;
		let stored: () => Promise<void>;
		const append = async (...ids: string[]) => {
			for (const id of ids) void log.append(draftOf(id));
			await stored();
		};
		const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id).join('');

		beforeEach(async () => {
			({ log, stored } = await make());
		});

		it('numbers entries from 1 and finds them by id', async () => {
			await append('a', 'b');
			expect((await log.after(0, 10)).map(({ id, seq }) => [id, seq])).toEqual([
				['a', 1],
				['b', 2]
			]);
			expect((await log.find('b'))?.seq).toBe(2);
			expect(await log.find('c')).toBeUndefined();
		});

		it('returns the same entry and its text to each reader', async () => {
			await append('a');
			const [exchange] = await log.after(0, 1);
			const entry = draftOf('a').entry(1);
			expect([exchange?.entry(), exchange?.entry(), JSON.parse(exchange?.text() ?? '')]).toEqual([entry, entry, entry]);
		});

		it('reads a part: after a number, oldest first, at most so many', async () => {
			await append('a', 'b', 'c', 'd');
			expect(ids(await log.after(1, 2))).toBe('bc');
			expect(ids(await log.after(4, 2))).toBe('');
			expect(ids(await log.after(0, 0))).toBe('');
		});

		it('deletes all entries and continues the numbers', async () => {
			await append('a', 'b');
			await log.clear();
			expect(await log.after(0, 10)).toEqual([]);
			expect(await log.find('a')).toBeUndefined();
			await append('c');
			expect((await log.after(0, 10)).map(({ seq }) => seq)).toEqual([3]);
		});

		it('tells a subscriber of each new entry until it unsubscribes', async () => {
			await append('a');
			const heard: TrafficEntry[] = [];
			const unsubscribe = log.subscribe((exchange) => heard.push(exchange.entry()));
			await append('b', 'c');
			unsubscribe();
			await append('d');
			expect(ids(heard)).toBe('bc');
		});

		it('subscribes after a number: no entry is missing, and none comes twice', async () => {
			await append('a', 'b', 'c');
			const heard: TrafficEntry[] = [];
			void log.append(draftOf('d'));
			const unsubscribe = log.subscribe((exchange) => heard.push(exchange.entry()), 1);
			await append('e');
			unsubscribe();
			expect(ids(heard)).toBe('bcde');
			expect(heard.map(({ seq }) => seq)).toEqual([2, 3, 4, 5]);
		});

		it('tells each subscriber of the events of the sandbox until it unsubscribes', async () => {
			const heard: string[] = [];
			const stop = ['a', 'b'].map((name) => log.subscribe(ignore, undefined, (event) => heard.push(name + event)));
			// Over a network it takes a moment until they listen.
			const announced = () => {
				log.announce('reset');
				return [...new Set(heard)].sort();
			};
			await expect.poll(announced).toEqual(['areset', 'breset']);
			stop[0]?.();
			log.announce('deleted');
			await expect.poll(() => heard.at(-1)).toBe('bdeleted');
			stop[1]?.();
		});

		it('tells several subscribers, each from its own number', async () => {
			await append('a', 'b');
			const heard: string[] = [];
			const stop = [0, 2, undefined].map((after, at) => log.subscribe(({ id }) => heard.push(`${at}${id}`), after));
			await append('c');
			for (const unsubscribe of stop) unsubscribe();
			expect(heard.sort()).toEqual(['0a', '0b', '0c', '1c', '2c']);
		});
	});
}

const ignore = () => undefined;

/** An exchange with this `X-Request-Id`, not yet numbered. */
export function draftOf(id: string): LazyTrafficEntry {
	const entry = {
		at: 0,
		duration: 0,
		endpoint: 'token',
		address: '',
		trace: [],
		response: null,
		values: [],
		references: [],
		credentials: []
	};
	const request = { method: 'GET', target: '/', headers: [], body: '' };
	return { size: 1, id, entry: (seq) => ({ ...entry, seq, id, request }) };
}
