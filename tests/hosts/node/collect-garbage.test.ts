import { expect, test } from 'vitest';
import { createLoadObserver } from '#hosts/node/collect-garbage.server.ts';

test('garbage is collected twice when load has ended, and not while it lasts', () => {
	let collections = 0;
	const onLoad = createLoadObserver(() => collections++);
	const after = [0.02, 0.9, 0.5, 0.03, 0, 0.01, 0.2, 0].map((share) => {
		onLoad(share);
		return collections;
	});
	expect(after).toEqual([0, 0, 0, 1, 2, 2, 2, 3]);
});
