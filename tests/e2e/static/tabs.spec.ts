import type { Page } from '@playwright/test';
import {
	anotherTab,
	authorize,
	call,
	control,
	exchange,
	expect,
	keptForOffline,
	sharedTest,
	test,
	tokensOf,
	whenServed
} from './fixtures.ts';

sharedTest('BR-04 two tabs exchange one code: one of them gets tokens', async ({ served, site, context }) => {
	const second = await anotherTab(context, site);
	const code = await authorize(served, site);
	const tabs = [served, second, served, second, served, second];
	const statuses = await Promise.all(tabs.map(async (tab) => (await exchange(tab, site, code)).status));
	expect(statuses.sort()).toEqual([200, 400, 400, 400, 400, 400]);
});

sharedTest('BR-04 two tabs call at once: every request counts once', async ({ served, site, context }) => {
	const { access_token } = await tokensOf(served, site);
	const second = await anotherTab(context, site);
	const callOften = (page: Page) =>
		page.evaluate(async (access_token) => {
			const headers = { Authorization: `OAuth ${access_token}` };
			const one = () => fetch('/ws/v2.0/character/Mara%20Vell', { headers });
			const all = await Promise.all(Array.from({ length: 30 }, one));
			return all.map((response) => Number(response.headers.get('x-ratelimit-remaining')));
		}, access_token);
	const remaining = (await Promise.all([callOften(served), callOften(second)])).flat();
	expect([...remaining].sort((one, other) => other - one)).toEqual(Array.from({ length: 60 }, (_, at) => 599 - at));
});

sharedTest(
	'a stream in one tab shows what another tab does, and ends with its sandbox',
	async ({ served, site, context }) => {
		const second = await anotherTab(context, site);
		const events = await readStream(second, '/control/traffic/stream');
		await call(served, '/ws/v2.0/character/from-the-first-tab');
		await expect.poll(events).toContain('from-the-first-tab');
		await control(served, site, 'POST', 'reset');
		await expect.poll(events).toMatch(/event: reset\ndata: {}\n\n$/);

		const made = Object(await control(served, site, 'POST', 'sandboxes'));
		const prefix = new URL(String(made.base_url)).pathname;
		const own = await readStream(second, `${prefix}/control/traffic/stream`, String(made.key));
		await served.evaluate(
			({ prefix, key }) => fetch(`${prefix}/control/sandbox`, { method: 'DELETE', headers: { 'X-Tollgate-Key': key } }),
			{ prefix, key: String(made.key) }
		);
		await expect.poll(own).toMatch(/\nended$/);
	}
);

test(
	'a new version waits until a user updates all tabs, also while they stream and send requests',
	{ tag: '@nightly' },
	async ({ served, site, context }) => {
		await keptForOffline(served, site); // a version whose files are not all kept does not wait
		const second = await anotherTab(context, site);
		await readStream(second, '/control/traffic/stream');
		await control(served, site, 'POST', 'clock', { advance: 60 });
		site.change('/service-worker.js', (body) => `${body}\n// another version`);
		await served.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
		const offer = 'A new version was installed.';
		await expect(served.getByText(offer)).toBeVisible();
		await expect(second.getByText(offer)).toBeVisible();
		// Requests that arrive while a worker stops start it again, which keeps the other one waiting.
		await second.evaluate(() => {
			const send = () => {
				void fetch('/control/clock')
					.catch(() => undefined)
					.then(() => setTimeout(send, 100));
			};
			send();
		});
		const reloaded = [served, second].map((page) => page.waitForEvent('load'));
		await served.getByRole('button', { name: 'Update all tabs' }).click();
		await Promise.all(reloaded);
		const hasOneWorker = (page: Page) =>
			page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting === null).catch(() => false);
		// The tabs are reloaded again when the new version takes over.
		for (const page of [served, second]) await expect.poll(() => hasOneWorker(page), { timeout: 60_000 }).toBe(true);
		for (const page of [served, second]) {
			await whenServed(page, site);
			await expect(page.getByText('Running in your browser')).toBeVisible();
			await expect(page.getByText(offer)).toBeHidden();
		}
		const clock = () => control(second, site, 'GET', 'clock').catch(() => undefined);
		await expect.poll(clock).toMatchObject({ offset: 60_000 });
		expect(site.leaks()).toEqual([]);
	}
);

/** Reads an event stream in a page. Returns what returns the text so far, without heartbeats. */
async function readStream(page: Page, url: string, key?: string): Promise<() => Promise<string>> {
	const handle = await page.evaluateHandle(
		async ({ url, key }) => {
			const response = await fetch(url, { headers: key === undefined ? {} : { 'X-Tollgate-Key': key } });
			const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
			const seen = { text: '' };
			const read = async (): Promise<void> => {
				const piece = await reader?.read();
				if (piece === undefined || piece.done) seen.text += '\nended';
				else {
					seen.text += piece.value;
					return read();
				}
			};
			void read();
			return seen;
		},
		{ url, key }
	);
	return () => handle.evaluate(({ text }) => text.replaceAll(': still here\n\n', ''));
}
