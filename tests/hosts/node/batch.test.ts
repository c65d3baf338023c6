import { expect, test } from 'vitest';
import { batch } from '#hosts/node/batch.ts';

test('runs the tasks of one turn together, in order, at its end', async () => {
	const done: string[] = [];
	const schedule = batch();
	schedule(() => {
		done.push('first');
		schedule(() => done.push('of the next turn'));
	});
	schedule(() => done.push('second'));
	expect(done).toEqual([]);
	await nextTurn();
	expect(done).toEqual(['first', 'second']);
	await nextTurn();
	expect(done).toEqual(['first', 'second', 'of the next turn']);
});

function nextTurn(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
