import { expect, it } from 'vitest';
import { getSharedStore } from '#hosts/node-service.server.ts';

it('keeps one store per process, so that a reloaded service finds its data', () => {
	expect(getSharedStore()).toBe(getSharedStore());
});
