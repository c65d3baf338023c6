import { changeClock } from '../change-clock.ts';
import { expect, test } from './fixtures.ts';

test('the clock, the settings and the addresses of a sandbox can be changed with the keyboard', async ({
	served,
	site
}) => {
	await changeClock(served, site.base);
	expect(site.leaks()).toEqual([]);
});
