import { readFile } from 'node:fs/promises';
import { countRequests, hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectAccessible } from './axe.ts';
import { expectReflow, expectUsable } from './reflow.ts';
import { join, send, type Student } from './join-class.ts';
import { startLesson } from './learn.ts';

test.use({ settings: { CLASS_SEATS: '10' } });

/** An authorization request with a redirect URI that is not registered. */
async function sendWrongUri({ page, baseUrl }: Student): Promise<void> {
	const query = new URLSearchParams({
		response_type: 'code',
		client_id: 'my-client',
		redirect_uri: 'http://localhost:3000/callback/',
		scope: 'character_read'
	});
	await send(page, `${baseUrl}/ws/oauth2/auth/?${query.toString()}`);
}

test('an instructor and five students, from opening a class to its end', async ({ page, browser, server }) => {
	test.slow();
	const { origin } = server;
	await page.goto('/class');
	await hydrated(page);
	await expectUsable(page, 'main');
	await page.getByLabel('Name').fill('=OAuth <b>workshop</b>');
	await page.getByLabel('Seats').fill('6');
	await page.getByRole('button', { name: 'Open class' }).press('Enter');
	await expect(page.getByRole('heading', { name: 'The class is open' })).toBeVisible();
	// The button is gone.
	await expect(page.getByRole('region', { name: 'For students' })).toBeFocused();
	const boardLink = page.getByRole('link', { name: 'Open board' });
	await expect(boardLink).toBeVisible();
	await expectUsable(page, 'main');
	await boardLink.click();
	await page.waitForURL(/\/class\/\w{6}$/);
	const code = /\/class\/(\w{6})$/.exec(page.url())?.[1] ?? '';
	await expect(page.getByText('The class has no students yet.')).toBeVisible();
	await expectUsable(page, 'main');

	const students: Student[] = [];
	for (let count = 0; count < 5; count++) students.push(await join(browser, origin, code));
	const [uris, basic, hand, lesson, quiet] = students;
	if (!uris || !basic || !hand || !lesson || !quiet) throw new Error('A student is missing.');
	const board = page.getByRole('grid', { name: 'Seats' });
	await expect(board.getByRole('row')).toHaveCount(6);
	await expectUsable(quiet.page);
	const presences = countRequests(quiet.page, `/control/classes/${code}/seats/`);
	const start = Date.now();

	await test.step('two students fail, and the board says why', async () => {
		await sendWrongUri(uris);
		await sendWrongUri(uris);
		await send(basic.page, `${basic.baseUrl}/ws/oauth2/token/`, {
			method: 'POST',
			headers: { Authorization: `Basic ${btoa('my-client:secret')}` },
			body: 'grant_type=authorization_code&code=x'
		});
		const rowOf = ({ label }: Student) => board.getByRole('row').filter({ hasText: label });
		await expect(rowOf(uris)).toContainText('The redirect URI differs: one slash at the end.');
		await expect(rowOf(basic)).toContainText('Sends HTTP Basic. This service reads the form.');
		await expect(page.getByRole('list', { name: 'Students' })).toContainText('2Stuck');
	});

	await test.step('a lesson runs in the seat, and its progress is on the board', async () => {
		await lesson.page.getByRole('link', { name: 'Start lesson' }).click();
		await startLesson(lesson.page);
		expect(lesson.page.url()).toContain(`${lesson.baseUrl}/learn/`);
		await expect(board.getByRole('row').filter({ hasText: lesson.label })).toContainText('Authorization code flow');
	});

	await test.step('an exercise runs in the seat, and shows its code after a press only', async () => {
		await basic.page.goto(`${basic.baseUrl}/write/exchange-the-code`);
		await expect(board.getByRole('row').filter({ hasText: basic.label })).toContainText('Exchange the code');
		const read = () => send(page, `/control/classes/${code}/seats/2/program`);
		expect(await read()).toBe(404);
		await basic.page.getByRole('button', { name: 'Show my code' }).click();
		await expect(basic.page.getByRole('button', { name: 'Code is shown' })).toBeVisible();
		expect(await read()).toBe(200);
		await basic.page.goto(`${basic.baseUrl}/join`);
	});

	await test.step('a student raises a hand, and the instructor lowers it', async () => {
		await hand.page.getByRole('button', { name: 'Raise hand' }).click();
		await expect(hand.page.getByRole('button', { name: 'Hand raised, 1st' })).toBeVisible();
		await expect(board).toContainText('Hand 1');
		await page.locator('h1').click();
		await page.keyboard.press('h');
		const panel = page.getByRole('region', { name: hand.label });
		await panel.getByRole('button', { name: 'Lower hand' }).click();
		await expect(hand.page.getByRole('button', { name: 'Raise hand' })).toBeVisible();
		await page.keyboard.press('Escape');
		await expect(panel).toBeHidden();
	});

	await test.step('the keyboard opens a seat, whose reset can be undone', async () => {
		await page.keyboard.press('/');
		await page.keyboard.type(uris.label);
		await board.focus();
		await page.keyboard.press('Enter');
		const panel = page.getByRole('region', { name: uris.label });
		await expect(panel.getByRole('link', { name: 'auth' }).first()).toBeVisible();
		await expect(uris.page.getByText('Your instructor reads your log.')).toBeVisible();
		// Beside the panel there is less room.
		const cut = await board
			.getByRole('columnheader')
			.evaluateAll((heads) => heads.flatMap((head) => (head.scrollWidth > head.clientWidth ? head.textContent : [])));
		expect(cut).toEqual([]);
		await expectAccessible(page);
		await panel.getByText('Other actions').click();
		await panel.getByRole('button', { name: 'Reset' }).click();
		await page.getByRole('button', { name: 'Undo', exact: true }).click();
		await expect(page.getByText(`The reset of ${uris.label} was undone`, { exact: true })).toBeVisible();
		await panel.getByRole('button', { name: 'Close' }).click();
		await page.getByRole('searchbox', { name: 'Filter seats' }).fill('');
	});

	await test.step('an open page reports every 20 seconds that it is open', () => {
		expect(presences()).toBeLessThanOrEqual(1 + (Date.now() - start) / 20_000);
	});

	await test.step('a notice reaches the students as plain text', async () => {
		await page.getByRole('button', { name: 'Go to lesson' }).click();
		await page.getByLabel('Text').fill('Read <b>this</b> first');
		await expectAccessible(page, 'dialog[open]');
		await page.getByRole('button', { name: 'Send notice', exact: true }).last().click();
		await expect(quiet.page.getByText('Read <b>this</b> first')).toBeVisible();
		await expect(quiet.page.getByRole('link', { name: /Open lesson/ })).toBeVisible();
		// With the notice above it, a lesson still fits its window.
		const tool = lesson.page.getByRole('region', { name: 'Tool' });
		await expect(tool.getByText('I don’t know')).toBeInViewport({ ratio: 1 });
		expect(await tool.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2);
		await quiet.page.getByRole('button', { name: 'Close notice' }).click();
		await quiet.page.reload();
		await expect(quiet.page.getByRole('heading', { level: 1, name: 'Your service' })).toBeVisible();
		await expect(quiet.page.getByText('Read <b>this</b> first')).toBeHidden();
	});

	await test.step('the wall shows counts and no student', async () => {
		const wall = await page.context().newPage();
		await wall.setViewportSize({ width: 1920, height: 1080 });
		await wall.goto(`/class/${code}/wall`);
		await expect(wall.getByRole('list', { name: 'Students' })).toBeVisible();
		for (const { label } of students) await expect(wall.getByText(label)).toHaveCount(0);
		await expectUsable(wall);
		await wall.close();
	});

	await test.step('a student controls nothing of the class', async () => {
		expect(await send(quiet.page, `${origin}/control/classes/${code}`)).toBe(403);
		await quiet.page.goto(`${origin}/class/${code}`);
		await expect(quiet.page.getByText('This board needs the class key')).toBeVisible();
		await quiet.page.goto(`${origin}/join/${code}`);
		await quiet.page.waitForURL(`${quiet.baseUrl}/join`);
	});

	await test.step('a seat continues on another device by its new link', async () => {
		const link: unknown = await page.evaluate(async (url) => {
			const init = { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"released":true}' };
			const seat: unknown = await (await fetch(url, init)).json();
			return Reflect.get(Object(seat), 'link');
		}, `/control/classes/${code}/seats/3`);
		const device = await (await browser.newContext()).newPage();
		await device.goto(String(link));
		await expect(device.getByRole('heading', { level: 1, name: 'Your service' })).toBeVisible();
		expect(device.url()).toBe(`${hand.baseUrl}/join`);
		await device.close();
		// The page that had it says so, also after a reload, and leaves no rejected request in the log of the other one.
		const released = hand.page.getByText('Your instructor gave this seat to another device');
		await expect(released).toBeVisible();
		await hand.page.reload();
		await expect(released).toBeVisible();
		await expect(hand.page.getByRole('link', { name: 'Join again' })).toBeVisible();
		const log = await page.evaluate(async (url) => (await fetch(url)).text(), `${hand.baseUrl}/control/traffic`);
		expect(log).toContain('"entries":[');
		expect(log).not.toContain('"status":403');
	});

	await test.step('each seat is a client of a fleet, whose wave all pages show', async () => {
		const { page: seat, baseUrl } = quiet;
		await page.goto(`/limits?class=${code}`);
		await page.getByRole('button', { name: 'Let students choose' }).click();
		await seat.goto(`${baseUrl}/limits?class=${code}`);
		await seat.getByText('Wait for Retry-After', { exact: true }).click();
		await expectAccessible(seat);
		await seat.getByRole('button', { name: 'Save my choice' }).click();
		await expect(seat.getByRole('button', { name: 'Choice saved' })).toBeVisible();
		await expect(page.getByText(/^Before wave 1 of 3\. 1 of \d seats is ready for wave 1\./)).toBeVisible();
		await page.getByRole('button', { name: 'Start wave 1' }).click();
		const charts = page.getByRole('region', { name: 'Charts' });
		await expect(charts.getByText('Last client done')).toBeVisible();
		await expect(page.getByText('Who made the most requests?')).toBeVisible();
		// Beside the settings: the page has its styles.
		expect((await charts.boundingBox())?.x).toBeGreaterThan(400);
		expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
		await expectAccessible(page);
		await expect(seat.getByText(/^Your client sent \d+ requests?/)).toBeVisible();
		await page.goto(`/class/${code}/wall`);
		await expect(page.getByRole('list', { name: 'Figures' })).toContainText('requests in the busiest second');
		await page.goto(`/class/${code}`);
		await seat.goto(`${baseUrl}/join`);
	});

	await test.step('a student outside of the class finds the way back', async () => {
		for (const path of ['/learn', '/join']) {
			await basic.page.goto(origin + path);
			await basic.page.getByRole('link', { name: 'Back to the class' }).click();
			await expect(basic.page.getByRole('heading', { level: 1, name: 'Your service' })).toBeVisible();
		}
	});

	await test.step('the results are saved, and the class ends', async () => {
		await page.setViewportSize({ width: 390, height: 844 });
		await expect(page.getByText(uris.label)).toBeVisible();
		await expectReflow(page);
		await page.getByRole('button', { name: 'More actions' }).click();
		const menu = page.getByRole('group', { name: 'More actions' });
		expect(await menu.evaluate((element) => element.scrollHeight - element.clientHeight), 'it does not scroll').toBe(0);
		const download = page.waitForEvent('download');
		await page.getByRole('link', { name: 'Export CSV' }).click();
		const csv = await readFile(await (await download).path(), 'utf8');
		for (const { label } of students) expect(csv).toContain(label);
		expect(csv).toContain('redirect_differs');
		expect(csv).not.toContain('localhost');
		await page.getByRole('button', { name: 'End class' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'End class' }).click();
		await expect(page.getByRole('heading', { level: 1, name: 'The class has ended' })).toBeVisible();
		// A page of the seat, and a lesson.
		for (const { page: seat } of [quiet, lesson])
			await expect(seat.getByRole('heading', { name: 'The class has ended' })).toBeVisible({ timeout: 3000 });
		await expectAccessible(lesson.page, 'dialog[open]');
		await lesson.page.getByRole('link', { name: 'Go on learning' }).click();
		await expect(lesson.page.getByRole('heading', { level: 1, name: 'Learn' })).toBeVisible();
		await basic.page.goto(`${origin}/join/${code}`);
		await expect(basic.page.getByText('No class has this code', { exact: true })).toBeVisible();
	});
});
