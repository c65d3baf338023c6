import { expect, it } from 'vitest';
import { createTrafficLog, type TrafficEntry, type TrafficLogCopy } from '#service/traffic/traffic-log.ts';
import { draftOf, testTrafficLog } from './traffic-log-contract.ts';

testTrafficLog('memory', () => Promise.resolve({ log: createTrafficLog(), stored: () => Promise.resolve() }));

it('drops the oldest entries beyond a number, and beyond an amount of text', async () => {
	const few = createTrafficLog(3);
	for (const id of ['a', 'b', 'c', 'd']) few.append(draftOf(id));
	expect((await few.after(0, 10)).map(({ seq }) => seq)).toEqual([2, 3, 4]);
	const short = createTrafficLog(10, 100);
	for (const size of [60, 30, 20, 200]) {
		short.append({ ...draftOf('a'), size });
		if (size === 20) expect((await short.after(0, 10)).map(({ seq }) => seq)).toEqual([2, 3]);
	}
	expect(
		(await short.after(0, 10)).map(({ seq }) => seq),
		'one entry always stays'
	).toEqual([4]);
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
	const log = createTrafficLog(2, undefined, { entries: [], last: 0, ...hooks });
	for (const id of ['a', 'b', 'c']) log.append(draftOf(id));
	expect([...copy.keys()]).toEqual([2, 3]);
	const continued = createTrafficLog(2, undefined, { entries: [...copy.values()], last: 3, ...hooks });
	continued.append(draftOf('d'));
	expect((await continued.after(0, 10)).map(({ seq, id }) => [seq, id])).toEqual([
		[3, 'c'],
		[4, 'd']
	]);
	await continued.clear();
	expect([copy.size, cleared]).toEqual([0, 4]);
});
