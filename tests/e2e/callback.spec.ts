import {
	allow,
	chooseAccount,
	countRequests,
	deny,
	openAdvancedOptions,
	openViewer,
	startSignIn,
	users
} from './demo-clients.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('a denied or repeated authorization response is rejected without an exchange', async ({ page, context }) => {
	await openViewer(page);
	await startSignIn(page);
	await chooseAccount(page, 'player-one');
	await deny(page);
	const denied = page.getByRole('alert').getByText('Access denied', { exact: true });
	await expect(denied).toBeVisible();
	await expect(page).toHaveTitle(/^Sign-in failed/);
	await expect(page.getByRole('link', { name: 'Show the checks' })).toHaveAttribute('href', '/inspector');
	expect(new URL(page.url()).search).toBe('');
	await page.reload();
	await expect(denied).toBeVisible();
	await page.goBack();
	await expect(page.getByRole('heading', { name: 'This sign-in is complete' })).toBeVisible();
	await page.goForward();
	await expect(denied).toBeVisible();

	const responses: string[] = [];
	page.on('request', (request) => {
		if (request.url().includes('/viewer/callback?')) responses.push(request.url());
	});
	const exchanges = countRequests(context, '/ws/oauth2/token/');
	await page.getByRole('link', { name: 'Back to sign-in' }).click();
	await startSignIn(page);
	await page.locator('button[value=approve]').click();
	await expect(users(page)).toBeVisible();
	const [response = ''] = responses;
	expect([responses.length, exchanges()]).toEqual([1, 1]);

	await page.goto(response);
	await expect(page.getByText('Sign-in already completed')).toBeVisible();
	await page.goBack();
	await expect(users(page)).toBeVisible();

	const other = await context.newPage();
	await other.goto(response);
	await expect(other.getByText('Sign-in already completed')).toBeVisible();
	const fresh = await context.newPage();
	await fresh.goto('/viewer/callback');
	await expect(fresh.getByText('No sign-in in progress')).toBeVisible();
	await fresh.goto('/viewer/callback?code=a&state=c&state=d');
	await expect(fresh.getByText('Contradictory response')).toBeVisible();
	expect(exchanges()).toBe(1);
});

test(
	'a failed exchange names the status, the active fault and the checks of its request',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await server.control('POST', '/control/faults', { endpoint: 'token', kind: 'status', status: 503 });
		await openViewer(page);
		await startSignIn(page);
		await chooseAccount(page, 'player-one');
		await allow(page);
		const alert = page.getByRole('alert');
		await expect(alert).toContainText('1 fault is active in this sandbox.');
		await expect(alert).toContainText('server_error: The token endpoint returned 503.');
		await alert.getByRole('link', { name: 'Show the checks' }).click();
		const exchange = page.getByRole('region', { name: 'Both ends of the request' });
		await expect(exchange).toContainText('POST /ws/oauth2/token/');
		await expect(exchange).toContainText('503');
	}
);

test('a pause at the callback shows code and state before the exchange, which a button starts', async ({
	page,
	context
}) => {
	await openViewer(page);
	await openAdvancedOptions(page);
	await page.getByRole('switch', { name: 'Pause at the callback' }).check();
	const exchanges = countRequests(context, '/ws/oauth2/token/');
	await startSignIn(page);
	const state = new URL(page.url()).searchParams.get('state') ?? '';
	await chooseAccount(page, 'player-one');
	await page.locator('button[value=approve]').click();
	const received = page.getByRole('definition').filter({ hasText: state });
	await expect(received).toHaveCount(2);
	await expect(page.getByText('match', { exact: true })).toBeVisible();
	expect([exchanges(), new URL(page.url()).search]).toEqual([0, '']);
	await expectAccessible(page);
	await page.getByRole('button', { name: 'Exchange the code' }).click();
	await expect(users(page)).toBeVisible();
	expect(exchanges()).toBe(1);
	const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
	expect(stored).not.toMatch(/viewer-secret|code_verifier":"|access_token":"/);
});
