import { changeClock } from './change-clock.ts';
import { test } from './fixtures.ts';

test('the clock, the settings and the addresses of a sandbox can be changed with the keyboard', async ({ page }) => {
	await changeClock(page);
});
