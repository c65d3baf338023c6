import { injectFaults } from '../inject-faults.ts';
import { test } from './fixtures.ts';

test('a fault is added by keyboard, met in the viewer, and deleted in the bar', async ({ served, site }) => {
	await served.goto(`${site.url}controls/faults`);
	await injectFaults(served);
});
