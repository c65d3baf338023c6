import { allow, chooseAccount } from '../../../e2e/demo-clients.ts';
import { goOn, lookUp, openLesson, predict, startLesson, stateOf, stepIsDone } from '../../../e2e/learn.ts';
import { expect, test } from '../../../e2e/static/fixtures.ts';

test.use({ base: '/demo' });

test('a lesson below a base path is still complete after a reload, and can be left', async ({ served, site }) => {
	await openLesson(served, 'Authorization code flow', site.base);
	await startLesson(served);
	const url = served.url();
	await predict(served, 'The access token');
	await served.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await chooseAccount(served, 'player-one');
	await allow(served);
	await served.waitForURL(url);
	await stepIsDone(served);
	await goOn(served);
	await lookUp(served);
	await stepIsDone(served);
	for (let part = 0; part < 3; part++) await goOn(served);
	await expect(stateOf(served)).toContainText('Lesson complete');
	await served.reload();
	await expect(stateOf(served)).toContainText('Lesson complete');
	await served.goto(url.replace(/\/learn.*/, '/'));
	const bar = served.getByRole('complementary', { name: 'Lesson' });
	await expect(bar).toContainText('You are in the sandbox of lesson 1: Authorization code flow.');
	await expect(bar.getByRole('link', { name: 'Leave' })).toHaveAttribute('href', `${site.base}/`);
	await bar.getByRole('link', { name: 'Show lesson' }).click();
	await goOn(served);
	await expect(served.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
	expect(site.leaks()).toEqual([]);
});
