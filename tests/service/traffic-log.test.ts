import { expect, it } from 'vitest';
import { createTrafficLog } from '#service/traffic/traffic-log.ts';
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
