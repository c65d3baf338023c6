import { expect, it } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { createTrafficLog, trafficLimits, type TrafficLogCopy } from '#service/traffic/traffic-log.ts';
import { draftOf, testTrafficLog } from './traffic-log-contract.ts';

const limits =
	(entries: number, characters = 10_000) =>
	() => ({ entries, characters });

testTrafficLog('memory', () =>
	Promise.resolve({ log: createTrafficLog(limits(500)), stored: () => Promise.resolve() })
);

it('drops the oldest entries beyond a number, and beyond an amount of text', async () => {
	const few = createTrafficLog(limits(3));
	for (const id of ['a', 'b', 'c', 'd']) void few.append(draftOf(id));
	expect((await few.after(0, 10)).map(({ seq }) => seq)).toEqual([2, 3, 4]);
	const short = createTrafficLog(limits(10, 100));
	for (const size of [60, 30, 20, 200]) {
		void short.append({ ...draftOf('a'), size });
		if (size === 20) expect((await short.after(0, 10)).map(({ seq }) => seq)).toEqual([2, 3]);
	}
	expect(
		(await short.after(0, 10)).map(({ seq }) => seq),
		'one entry always stays'
	).toEqual([4]);
});

it.each(['oF8mSg…', 'ž "quoted" \u2028', '\ud83d\ude00', 'only ASCII', '\ud800 alone', '\\u2026'])(
	'writes %j in ASCII',
	async (body) => {
		const log = createTrafficLog(limits(1));
		const { entry, ...draft } = draftOf('a');
		const made = { ...entry(1), response: { status: 200, headers: [], body } };
		void log.append({ ...draft, entry: () => made });
		const [exchange] = await log.after(0, 1);
		expect(exchange?.text()).toMatch(/^[ -~]+$/);
		expect(exchange?.entry()).toEqual(made);
	}
);

it('follows a changed limit at once, and keeps the newest entries', async () => {
	let entries = 4;
	const log = createTrafficLog(() => ({ entries, characters: 10_000 }));
	const numbers = async () => (await log.after(0, 10)).map(({ seq }) => seq);
	for (const id of ['a', 'b', 'c', 'd', 'e']) void log.append(draftOf(id));
	expect(await numbers()).toEqual([2, 3, 4, 5]);
	entries = 2;
	expect(await numbers()).toEqual([4, 5]);
	entries = 3;
	for (const id of ['f', 'g']) void log.append(draftOf(id));
	expect(await numbers()).toEqual([5, 6, 7]);
});

it('keeps more text for more entries, and never less than usual', () => {
	expect(trafficLimits('root', 10_000)).toEqual({ entries: 10_000, characters: 10_000 * 1024 });
	expect(trafficLimits('other', 10)).toEqual({ entries: 10, characters: 128 * 1024 });
});

it('reports what a copy of the log must hold, and starts from it', async () => {
	const copy = new Map<number, TrafficEntry>();
	let cleared = 0;
	const hooks: Omit<TrafficLogCopy, 'entries' | 'last'> = {
		onChange(seq, entry) {
			if (entry === undefined) copy.delete(seq);
			else copy.set(seq, entry);
		},
		onClear: (last) => (cleared = last)
	};
	const log = createTrafficLog(limits(2), { entries: [], last: 0, ...hooks });
	for (const id of ['a', 'b', 'c']) void log.append(draftOf(id));
	expect([...copy.keys()]).toEqual([2, 3]);
	const continued = createTrafficLog(limits(2), { entries: [...copy.values()], last: 3, ...hooks });
	void continued.append(draftOf('d'));
	expect((await continued.after(0, 10)).map(({ seq, id }) => [seq, id])).toEqual([
		[3, 'c'],
		[4, 'd']
	]);
	await continued.clear();
	expect([copy.size, cleared]).toEqual([0, 4]);
});
