import type { FrameLocator, Page } from '@playwright/test';
import { expectUsable } from './reflow.ts';
import { expect } from './fixtures.ts';
import { frameOf, openSite, type Site } from './partner-site.ts';
import { test as base } from './partner-test.ts';

const test = base.extend<object, { other: Site }>({
	other: [
		// eslint-disable-next-line no-empty-pattern -- Playwright reads the dependencies of a fixture from this pattern
		async ({}, use) => {
			const site = await openSite();
			await use(site);
			site.close();
		},
		{ scope: 'worker' }
	]
});

async function embed(page: Page, site: Site, src: string): Promise<FrameLocator> {
	site.show(frameOf(src));
	await page.goto(site.origin);
	return page.frameLocator('iframe');
}

/** The messages that the page of the site got, without their height. */
async function messages(page: Page): Promise<unknown> {
	return page.evaluate('got.filter(({ type }) => type !== "resized")');
}

async function signIn(frame: FrameLocator): Promise<void> {
	const service = frame.frameLocator('iframe');
	await service.getByRole('button', { name: 'player-one' }).click();
	await service.getByRole('button', { name: 'Allow' }).click();
}

test('a partner embeds a lesson, which reports its progress and needs nothing of the server', async ({
	page,
	context,
	server,
	partner
}) => {
	const requests: string[] = [];
	page.on('request', (request) => requests.push(new URL(request.url()).pathname));
	const frame = await embed(page, partner, `${server.origin}/embed/lesson/whole-trip?theme=dark`);
	await frame.getByRole('button', { name: 'Start' }).click();
	await frame.getByRole('radio').first().check();
	await frame.getByRole('button', { name: 'Save' }).first().click();
	await frame.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await signIn(frame);
	await frame.getByRole('button', { name: 'Next' }).click();
	await frame.getByRole('button', { name: 'Look up', exact: true }).click();
	await expect(frame.locator('html')).toHaveAttribute('data-theme', 'dark');
	const message = { origin: server.origin, source: 'tollgate', version: 1 };
	await expect
		.poll(() => messages(page))
		.toEqual([
			{ ...message, type: 'ready', page: 'lesson', name: 'whole-trip' },
			{ ...message, type: 'step', step: 0, of: 2 },
			{ ...message, type: 'step', step: 1, of: 2 },
			{ ...message, type: 'score', score: 50 },
			{ ...message, type: 'step', step: 2, of: 2 },
			{ ...message, type: 'score', score: 100 },
			{ ...message, type: 'completed' }
		]);
	await page.evaluate(`frames[0].postMessage({ type: 'tollgate:theme', theme: 'light' }, '${server.origin}')`);
	await expect(frame.locator('html')).toHaveAttribute('data-theme', 'light');
	expect(requests.filter((path) => /^\/(?:~|ws|control|account)/.test(path))).toEqual([]);
	expect(await context.cookies()).toEqual([]);
	await page.setViewportSize({ width: 360, height: 740 });
	expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
	await page.goto(`${server.origin}/embed/lesson/whole-trip`);
	await expect(page.getByRole('button', { name: 'Start' })).toBeVisible();
	await expectUsable(page);
});

test('a partner embeds the demo, whose steps lead through sign-in and consent to the inspector', async ({
	page,
	server,
	partner
}) => {
	let release = () => {};
	const pressed = new Promise<void>((resolve) => (release = resolve));
	await page.route(/service\.css/, (route) => pressed.then(() => route.continue()));
	const frame = await embed(page, partner, `${server.origin}/embed/demo`);
	await frame.getByRole('button', { name: 'Start' }).click();
	const next = frame.getByRole('button', { name: /^(?:Next|Open page|Finish)$/ });
	const titles = [
		'An application asks',
		'The button is a link',
		'The service asks who you are',
		'You see what you allow',
		'Press Allow',
		'The code becomes a token',
		'The token opens the data',
		'Both ends of each request'
	];
	for (const title of titles) {
		await expect(frame.getByRole('heading', { name: title })).toBeVisible();
		await next.click();
		// Next presses a button of the page of the service, also while the page is loading.
		if (title === 'The service asks who you are') release();
	}
	await expect(frame.getByText('Character returned')).toBeVisible();
	await next.click();
	await expect(frame.getByRole('heading', { name: 'The demo is complete' })).toBeVisible();
	await expect.poll(() => messages(page)).toContainEqual(expect.objectContaining({ type: 'completed' }));
});

test('no other site can frame an embedded page, and no site can frame sign-in, consent or another page', async ({
	page,
	server,
	partner,
	other
}) => {
	const query = new URLSearchParams({
		response_type: 'code',
		client_id: 'character-viewer',
		redirect_uri: `${server.origin}/viewer/callback`,
		scope: 'character_read',
		state: 's'
	}).toString();
	const closed = [`/ws/oauth2/auth/?${query}`, '/account', '/viewer', '/learn/whole-trip', '/guide', '/'];
	for (const [site, path] of [
		[other, '/embed/demo'],
		[other, '/embed/lesson/whole-trip'],
		...closed.map((path) => [partner, path] as const)
	] as const) {
		const rejected = page.waitForEvent('console', (message) => /frame-ancestors|X-Frame-Options/.test(message.text()));
		await embed(page, site, server.origin + path);
		await rejected;
		expect(await messages(page), path).toEqual([]);
	}
	// A partner that is framed by another site is no parent.
	partner.show(frameOf(`${server.origin}/embed/demo`));
	const rejected = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
	await embed(page, other, partner.origin);
	await rejected;
});

test('a frame that blocks storage or scripts says what to do', async ({ page, server, partner }) => {
	partner.show(
		`<iframe sandbox="allow-scripts" src="${server.origin}/embed/demo" style="width: 400px; height: 600px"></iframe>`
	);
	await page.goto(partner.origin);
	const link = page.frameLocator('iframe').getByRole('link', { name: /open it in a new tab/i });
	await expect(link).toHaveAttribute('href', '/guide');
	await expect(page.frameLocator('iframe').getByText('This browser blocks storage here')).toBeVisible();
});
