import type { Page } from '@playwright/test';
import { anotherTab, control, expect, test } from './fixtures.ts';

test('two tabs: one clock, one session, and the traffic of one shows in the other', async ({
	served,
	site,
	context
}) => {
	const second = await anotherTab(context, site);
	const seen = await readStream(second, '/control/traffic/stream?after=0');
	await control(served, '', 'POST', 'clock', { advance: 5000 });
	expect(await control(second, '', 'GET', 'clock')).toMatchObject({ offset: 5_000_000 });
	await served.evaluate(() => fetch('/ws/v2.0/character/from-the-first-tab'));
	await expect.poll(seen).toContain('from-the-first-tab');
	await served.goto(`${site.url}account`);
	await served.getByRole('button', { name: 'player-three' }).click();
	await expect(served.getByText('player-three').first()).toBeVisible();
	await second.goto(`${site.url}account`);
	await expect(second.getByText('player-three').first()).toBeVisible();
	await second.getByRole('button', { name: 'Sign out' }).click();
	await expect(second.getByText('Sign in to see which')).toBeVisible();
	await served.reload();
	await expect(served.getByText('Sign in to see which')).toBeVisible();
});

test('two tabs: a stream in one is told of a reset and a snapshot in the other, and ends with its sandbox', async ({
	served,
	site,
	context
}) => {
	const second = await anotherTab(context, site);
	const seen = await readStream(second, '/control/traffic/stream');
	await served.evaluate(() => fetch('/ws/v2.0/character/before-the-reset'));
	await expect.poll(seen).toContain('before-the-reset');
	await control(served, '', 'POST', 'reset');
	await expect.poll(seen).toMatch(/event: reset\ndata: {}\n\n$/);
	expect(await control(second, '', 'GET', 'traffic'), 'the log of the other tab is empty by then').toEqual({
		entries: []
	});
	const snapshot = Object(await control(served, '', 'GET', 'snapshot'));
	await control(served, '', 'PUT', 'snapshot', snapshot);
	await expect.poll(seen).toMatch(/(event: reset\ndata: {}\n\n){2}$/);

	const made = Object(await control(served, '', 'POST', 'sandboxes'));
	const prefix = new URL(String(made.base_url)).pathname;
	const own = await readStream(second, `${prefix}/control/traffic/stream`, String(made.key));
	await served.evaluate(
		({ prefix, key }) => fetch(`${prefix}/control/sandbox`, { method: 'DELETE', headers: { 'X-Tollgate-Key': key } }),
		{ prefix, key: String(made.key) }
	);
	await expect.poll(own).toMatch(/\nover$/);
});

/** Reads an event stream in a page; gives what tells what has come so far, without the word that it is still there. */
async function readStream(page: Page, address: string, key?: string): Promise<() => Promise<string>> {
	const handle = await page.evaluateHandle(
		async ({ address, key }) => {
			const response = await fetch(address, { headers: key === undefined ? {} : { 'X-Tollgate-Key': key } });
			const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
			const seen = { text: '' };
			const read = async (): Promise<void> => {
				const piece = await reader?.read();
				if (piece === undefined || piece.done) seen.text += '\nover';
				else {
					seen.text += piece.value;
					return read();
				}
			};
			void read();
			return seen;
		},
		{ address, key }
	);
	return () => handle.evaluate(({ text }) => text.replaceAll(': still here\n\n', ''));
}
