import { expect, test } from 'vitest';
import { rounds } from '#hosts/node/batch.ts';

test('tasks of one round are done together, in order, and not before its end', async () => {
	const done: string[] = [];
	const putOff = rounds();
	putOff(() => {
		done.push('first');
		putOff(() => done.push('of the next round'));
	});
	putOff(() => done.push('second'));
	expect(done).toEqual([]);
	await nextRound();
	expect(done).toEqual(['first', 'second']);
	await nextRound();
	expect(done).toEqual(['first', 'second', 'of the next round']);
});

function nextRound(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
