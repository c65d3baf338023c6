import { expect, test } from 'vitest';
import { batch } from '#hosts/node/batch.ts';

test('runs the tasks of one turn together, in order, at its end', async () => {
	const done: string[] = [];
	const schedule = batch();
	schedule('a', () => {
		done.push('first');
		schedule('a', () => done.push('of the next turn'));
	});
	schedule('a', () => done.push('second'));
	expect(done).toEqual([]);
	await nextTurn();
	expect(done).toEqual(['first', 'second']);
	await nextTurn();
	expect(done).toEqual(['first', 'second', 'of the next turn']);
});

test('addresses take turns, and one turn starts a part of a flood', async () => {
	const done: string[] = [];
	const schedule = batch();
	for (let count = 0; count < 100; count++) schedule('flood', () => done.push('flood'));
	schedule('good', () => done.push('good'));
	await nextTurn();
	expect(done.indexOf('good')).toBe(1);
	expect(done.length).toBeLessThan(40);
	while (done.length < 101) await nextTurn();
});

function nextTurn(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
