import { expect, it } from 'vitest';
import { Stuck, stuckAfter } from '#course/lessons/model/lesson-session.svelte.ts';

it('offers help after 90 seconds without progress, until there is some', () => {
	let now = 1000;
	const stuck = new Stuck(() => now);
	now += stuckAfter - 1;
	stuck.check();
	expect(stuck.isOffered).toBe(false);
	now += 1;
	stuck.check();
	expect(stuck.isOffered).toBe(true);
	stuck.progress();
	stuck.check();
	expect(stuck.isOffered).toBe(false);
});
