import { allow, chooseAccount } from '../demo-clients.ts';
import { lookUp, startLesson } from '../learn.ts';
import { expect, test } from './fixtures.ts';

test.use({ base: '/demo' });

test('a lesson is walked to its end, also after a reload', async ({ served, site }) => {
	await startLesson(served, 'The whole trip', site.base);
	const url = served.url();
	await served.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await chooseAccount(served, 'player-one');
	await allow(served);
	await served.waitForURL(url);
	await lookUp(served, 'Mara Vell');
	const state = served.getByRole('region', { name: 'State of the lesson' });
	await expect(state).toContainText('All conditions are met.');
	await served.reload();
	await expect(state).toContainText('All conditions are met.');
	await served.getByRole('link', { name: 'Tollgate', exact: true }).click();
	const bar = served.getByRole('complementary', { name: 'Lesson' });
	await expect(bar).toContainText('You are in the sandbox of lesson 1: The whole trip.');
	await expect(bar.getByRole('link', { name: 'Leave' })).toHaveAttribute('href', `${site.base}/`);
	await bar.getByRole('link', { name: 'Show lesson' }).click();
	await served.getByRole('link', { name: /^Next lesson/ }).click();
	await expect(served.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
	expect(site.leaks()).toEqual([]);
});
