import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTurnScheduler } from '#hosts/node/service-handler.server.ts';

test('runs the tasks of one turn together, in order, at its end', async () => {
	const done: string[] = [];
	const schedule = createTurnScheduler();
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

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

test('addresses take turns, and a flood leaves time for others', async () => {
	const done: string[] = [];
	const schedule = createTurnScheduler();
	for (let count = 0; count < 100; count++) schedule('flood', () => done.push('flood'));
	schedule('good', () => done.push('good'));
	await nextTurn();
	expect(done.indexOf('good')).toBe(1);
	expect(done.length).toBeLessThan(10);
	const first = done.length;
	schedule('flood', () => done.push('last of the flood'));
	schedule('good', () => done.push('good again'));
	await nextTurn();
	expect(done.slice(first)).toEqual(['good again']);
	while (done.length < 103) {
		vi.advanceTimersByTime(5);
		await nextTurn();
	}
	expect(done.at(-1)).toBe('last of the flood');
});

test('an address that is alone does not wait', async () => {
	const done: string[] = [];
	const schedule = createTurnScheduler();
	schedule('another', () => done.push('another'));
	await nextTurn();
	schedule('busy', () => done.push('busy'));
	vi.advanceTimersByTime(1000);
	for (let count = 0; count < 30; count++) schedule('busy', () => done.push('busy'));
	await nextTurn();
	expect(done).toHaveLength(32);
});

function nextTurn(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
