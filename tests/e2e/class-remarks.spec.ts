import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { join, send } from './join-class.ts';
import { expectReflow, expectUsable } from './reflow.ts';

test.use({ settings: { CLASS_SEATS: '10' } });

test(
	'an instructor prepares the seats, keeps remarks about them, and shares the board with others',
	{ tag: '@nightly' },
	async ({ page, browser, server }) => {
		test.slow();
		const { origin } = server;

		await test.step('each seat has the world and the faults of a sandbox', async () => {
			await page.goto('/studio');
			await hydrated(page);
			await page.getByRole('button', { name: 'Bank', exact: true }).click();
			await page.getByRole('button', { name: 'Use in a new sandbox' }).click();
			await page.waitForURL(/\/~/);
			await page.evaluate(
				async (url) => {
					const fault = { kind: 'rate_limited', endpoint: 'records', times: 3 };
					const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fault) };
					await fetch(url, init);
				},
				`${page.url().replace(/\/$/, '')}/control/faults`
			);
			await page.goto('/class');
			await hydrated(page);
			await page.getByLabel('Name').fill('Bank workshop');
			const like = page.getByLabel('Each seat starts');
			await like.selectOption({ index: 2 });
			await expect(page.getByLabel('Access tokens live')).toBeHidden();
			await page.getByLabel('Seats').fill('6');
			await page.getByRole('button', { name: 'Open class' }).click();
			await page.getByRole('link', { name: 'Open board' }).click();
			await page.waitForURL(/\/class\/\w{6}$/);
		});

		const code = /\w{6}$/.exec(page.url())?.[0] ?? '';
		const anna = await join(browser, origin, code);
		const ben = await join(browser, origin, code);
		const board = page.getByRole('grid', { name: 'Seats' });
		await expect(board.getByRole('row')).toHaveCount(3);
		const seatText = (path: string) =>
			anna.page.evaluate(async (url) => (await fetch(url)).text(), anna.baseUrl + path);
		expect(await seatText('/control/world')).toContain('"payments_write"');
		expect(await seatText('/control/faults')).toContain('"rate_limited"');
		const openMenu = async (item: string) => {
			await page.getByRole('button', { name: 'More actions' }).click();
			await page.getByRole('button', { name: item, exact: true }).click();
		};

		await test.step('groups and a timer', async () => {
			await openMenu('Groups');
			await page.getByLabel('Number of groups').fill('2');
			await expectAccessible(page, 'dialog[open]');
			await page.getByRole('button', { name: 'Form groups' }).click();
			await expect(page.getByRole('group', { name: 'Groups' })).toContainText('Group B');
			await expect(ben.page.getByText(/group B · ends/)).toBeVisible();
			await openMenu('Timer');
			await page.getByRole('button', { name: 'Start timer' }).click();
			await expect(page.getByRole('timer')).toContainText(/(?:10:00|9:\d\d)/);
		});

		await test.step('a note and a mark that students do not see', async () => {
			await page.locator('h1').click();
			await page.keyboard.press('/');
			await page.keyboard.type(ben.label);
			await board.focus();
			await page.keyboard.press('Enter');
			const panel = page.getByRole('region', { name: ben.label });
			await panel.getByRole('checkbox', { name: 'Helped' }).check();
			await panel.getByText('Note and group').click();
			await panel.getByLabel('Note').fill('=Wants PKCE');
			await panel.getByRole('button', { name: 'Save note' }).click();
			await expect(panel.getByRole('button', { name: 'Save note' })).toBeHidden();
			await expectAccessible(page);
			await panel.getByRole('button', { name: 'Close' }).click();
			await page.getByRole('searchbox', { name: 'Filter seats' }).fill('');
			const status = await ben.page.evaluate(async (url) => (await fetch(url)).text(), `${ben.baseUrl}/control/status`);
			expect(status).toContain('"return_code"');
			expect(status).not.toContain('Wants PKCE');
		});

		await test.step('real names stay in the browser', async () => {
			await openMenu('Real names');
			await page.getByLabel('List').fill(`1 Anna Real\n${ben.label}, Ben Real\nnobody`);
			await page.getByRole('button', { name: 'Match names' }).click();
			await expect(page.getByText('1 line without a seat')).toBeVisible();
			await expectAccessible(page, 'dialog[open]');
			await page.keyboard.press('Escape');
			await expect(board).toContainText('Anna Real');
		});

		await test.step('a co-instructor reads the board and changes nothing', async () => {
			await openMenu('Link for co-instructors');
			await page.getByRole('button', { name: 'Create link' }).click();
			await page.getByRole('button', { name: 'Show co-instructor link' }).click();
			const link = page.getByRole('dialog').locator('code', { hasText: '#class=' });
			const reader = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
			await reader.goto((await link.innerText()).trim());
			await page.keyboard.press('Escape');
			await expect(reader.getByText('Co-instructor, reads only')).toBeVisible();
			await expect(reader.getByRole('grid', { name: 'Seats' })).toContainText(ben.label);
			await expect(reader.getByText('Anna Real')).toHaveCount(0);
			for (const name of ['Notice', 'Go to lesson', 'More actions'])
				await expect(reader.getByRole('button', { name, exact: true })).toHaveCount(0);
			await expect(page.getByText('2 boards open')).toBeVisible();
			await expectAccessible(reader);
			const seat = `${origin}/control/classes/${code}/seats/1`;
			expect(await send(reader, seat, { method: 'DELETE' })).toBe(403);
			expect(await send(reader, `${anna.baseUrl}/control/traffic`)).toBe(403);
			await reader.setViewportSize({ width: 390, height: 844 });
			await expectReflow(reader);
			await reader.goto(`/class/${code}/wall`.replace(/^/, origin));
			await expect(reader.getByText('Exercise ends in')).toBeVisible();
			await expect(reader.getByRole('button', { name: /\+5 min/ })).toHaveCount(0);
			await reader.context().close();
		});

		await test.step('the handout has the code and no key', async () => {
			await page.goto(`/class/${code}/handout`);
			await expect(page.getByRole('heading', { level: 1, name: 'Bank workshop' })).toBeVisible();
			await expectUsable(page);
			expect(await page.content()).not.toContain('#class=');
		});

		await test.step('a student comes back with a code, and what was done is done', async () => {
			const lesson = 'whole-trip';
			const progress = { lesson, step: 3, shown: {}, of: 4, is_done: true };
			const init = {
				method: 'PATCH',
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify({ progress })
			};
			expect(await send(anna.page, `${origin}/control/classes/${code}/seats/1`, init)).toBe(200);
			await anna.page.reload();
			await anna.page.getByText('Come back in a later class').click();
			const returnCode = (await anna.page.getByText(/^TG1/).innerText()).trim();
			const again = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
			await again.goto(`${origin}/join/${code}`);
			await hydrated(again);
			await again.getByText('I have a code of an earlier class').click();
			await again.getByLabel('Return code').fill(`${returnCode.slice(0, -1)}!`);
			await again.getByRole('button', { name: 'Join', exact: true }).click();
			await expect(again.getByLabel('Return code')).toHaveAttribute('aria-invalid', 'true');
			await again.getByLabel('Return code').fill(returnCode);
			await expectUsable(again);
			await again.getByRole('button', { name: 'Join', exact: true }).click();
			await expect(again.getByText(/Course · 1 of \d+ done/)).toBeVisible();
		});

		await test.step('the exports have groups, notes and marks, and no real name', async () => {
			await page.goto(`/class/${code}`);
			await page.getByRole('button', { name: 'More actions' }).click();
			const exported = async (label: string) => {
				const download = page.waitForEvent('download');
				await page.getByRole('link', { name: label }).click();
				const text = await readFile(await (await download).path(), 'utf8');
				expect(text).not.toContain('Anna Real');
				return text;
			};
			expect(await exported('Export CSV')).toContain("'=Wants PKCE");
			const statements: unknown = JSON.parse(await exported('Export xAPI'));
			expect(JSON.stringify(statements)).toContain('http://adlnet.gov/expapi/verbs/completed');
		});
	}
);
