import { expect, test } from 'vitest';
import { BarrierMark } from '#ui/shell/barrier.svelte.ts';

test('lifts for an accepted call, stays down for a refused one, lies broken where none is answered', () => {
	const mark = new BarrierMark();
	const seen = [200, 302, 400, 503, null].map((status) => {
		mark.show(status);
		return mark.state;
	});
	expect(seen).toEqual(['open', 'open', 'closed', 'closed', 'broken']);
	mark.rest();
	expect(mark.state).toBe('idle');
});
