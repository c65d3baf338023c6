import type { CDPSession, Locator } from '@playwright/test';
import * as v from 'valibot';
import { expectAccessible } from '../../e2e/axe.ts';
import { expect, test, type Server } from '../../e2e/fixtures.ts';

const seats = 200;
const created = v.object({ code: v.string(), board_url: v.string() });
const joined = v.object({ base_url: v.string() });

test.use({ settings: { CLASS_SEATS: String(seats) } });

/** Sends a call without a token in each seat: it changes all rows of the board. */
async function callIn(server: Server, bases: readonly string[], path: string): Promise<void> {
	await Promise.all(bases.map((base) => server.control('GET', `${base}/ws/v2.0/${path}`).catch(() => undefined)));
}

/** The time that the page has worked, in seconds, and its memory, in MB. */
async function costOf(session: CDPSession): Promise<{ task: number; heap: number }> {
	await session.send('HeapProfiler.collectGarbage');
	const { metrics } = await session.send('Performance.getMetrics');
	const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
	return { task: value('TaskDuration'), heap: value('JSHeapUsedSize') / 1e6 };
}

/** The row that the keys act on. */
async function activeRow(board: Locator): Promise<Locator> {
	return board.locator(`#${(await board.getAttribute('aria-activedescendant')) ?? ''}`);
}

test('a board of 200 seats draws the rows in view only, and its updates are quick', async ({ page, server }) => {
	const plan = { name: 'Lecture', seats };
	const { code, board_url } = v.parse(created, await server.control('POST', '/control/classes', plan));
	const bases: string[] = [];
	for (let count = 0; count < seats; count++) {
		const seat = v.parse(joined, await server.control('POST', `/control/classes/${code}/seats`));
		bases.push(seat.base_url.slice(server.origin.length));
	}
	await page.goto(board_url);
	const board = page.getByRole('grid', { name: 'Seats' });
	await expect(board).toHaveAttribute('aria-rowcount', String(seats + 1));
	expect(await board.getByRole('row').count()).toBeLessThan(60);

	const session = await page.context().newCDPSession(page);
	// The processor time of the page: that of other processes must not count.
	await session.send('Performance.enable', { timeDomain: 'threadTicks' });
	const before = await costOf(session);
	const turns = ['ratelimits', 'character', 'ratelimits', 'character'] as const;
	for (const endpoint of turns) {
		await callIn(server, bases, endpoint === 'character' ? 'character/Mara%20Vell' : endpoint);
		const changed = board.getByText(`${endpoint}: invalid_token`);
		await expect.poll(async () => (await changed.count()) + 1).toBe(await board.getByRole('row').count());
	}
	const after = await costOf(session);
	const perTurn = ((after.task - before.task) * 1000) / turns.length;
	console.log(`${perTurn.toFixed(0)} ms of the page for ${seats} changed rows, ${after.heap.toFixed(1)} MB`);
	expect(perTurn).toBeLessThan(400);
	expect(after.heap).toBeLessThan(40);
	expect(after.heap - before.heap).toBeLessThan(5);

	await board.focus();
	await page.keyboard.press('End');
	await expect(await activeRow(board)).toBeInViewport({ ratio: 1 });
	await page.keyboard.press('Home');
	await expect(await activeRow(board)).toBeInViewport({ ratio: 1 });

	await page.emulateMedia({ forcedColors: 'active' });
	await expect(board).toBeVisible();
	await page.keyboard.press('ArrowDown');
	const active = await activeRow(board);
	await expect(active).toBeVisible();
	expect(await active.evaluate((row) => getComputedStyle(row).outlineStyle)).not.toBe('none');
	await expectAccessible(page);
});
