import { expect, test } from 'vitest';
import { BarrierMark } from '#ui/flow/barrier.svelte.ts';

test('opens for an accepted request, closes for a rejected one, and breaks without a response', () => {
	const mark = new BarrierMark();
	const states = [200, 302, 400, 503, null].map((status) => {
		mark.show(status);
		return mark.state;
	});
	expect(states).toEqual(['open', 'open', 'closed', 'closed', 'broken']);
});
