import { describe, expect, test } from 'vitest';
import { Explorer } from '#client/page/explorer.svelte.ts';
import { Watching } from '#client/page/watching.svelte.ts';
import { wishes, Workbench } from '../workbench.ts';

async function page() {
	const bench = new Workbench();
	const client = bench.tab('tab-1');
	const session = await bench.signIn(client);
	const explorer = new Explorer(client);
	const watching = new Watching(client, explorer, () => bench.time);
	watching.follow();
	const calls = () => bench.service.requests.filter(({ url }) => url.pathname.includes('/character/')).length;
	const tick = async (milliseconds: number) => {
		bench.time += milliseconds;
		await watching.tick(await client.sessions.list());
	};
	return { bench, client, session, explorer, watching, calls, tick };
}

describe('watched characters', () => {
	test('are asked for every 15 seconds, for two minutes after their person did something', async () => {
		const { session, watching, calls, tick } = await page();
		await watching.toggle(session.id, 'Mara Vell');
		expect(watching.has(session.id, 'Mara Vell')).toBe(true);
		await tick(14_000);
		expect(calls()).toBe(0);
		for (let second = 14; second < 180; second += 1) await tick(1000);
		expect(calls()).toBe(7);
		expect(watching.rows[0]).toMatchObject({ isActive: false, last: 'answered' });
		await watching.touch(session.id);
		await tick(1000);
		expect(calls()).toBe(8);
		await watching.toggle(session.id, 'Mara Vell');
		expect(watching.rows).toEqual([]);
	});

	test('are asked for on and on where that manner is switched off', async () => {
		const { client, session, watching, calls, tick } = await page();
		await watching.toggle(session.id, 'Mara Vell');
		await client.switches.change({ watchAll: true });
		await tick(3_000_000);
		expect(calls()).toBe(1);
		expect(watching.rows[0]?.isActive).toBe(true);
	});

	test('show what came of it, and refresh what the panel shows', async () => {
		const { bench, session, explorer, watching, tick } = await page();
		await explorer.show(session, 'Mara Vell');
		const before = explorer.view;
		await watching.toggle(session.id, 'Mara Vell');
		await tick(15_000);
		expect(explorer.view).not.toBe(before);
		bench.service.override = () => Response.json({ error: 'not_found' }, { status: 404 });
		await tick(15_000);
		expect(watching.rows[0]?.last).toBe('not_found');
	});

	test('rest once the access of their person is over, and go on when that person is back', async () => {
		const { bench, client, session, watching, calls, tick } = await page();
		await watching.toggle(session.id, 'Mara Vell');
		await client.sessions.end(session.id, 'access_revoked');
		await tick(15_000);
		const [row] = watching.rows;
		expect(row).toMatchObject({ isOver: true, asked: bench.time - 15_000 });
		await tick(15_000);
		expect(watching.rows[0]).toEqual({ ...row, isActive: true });
		expect(calls()).toBe(0);
		await bench.signIn(client, wishes, session.id);
		await tick(1000);
		expect(calls()).toBe(1);
		expect(watching.rows[0]).toMatchObject({ isOver: false, last: 'answered' });
	});

	test('rest while the service is silent', async () => {
		const { bench, client, session, watching, calls, tick } = await page();
		await watching.toggle(session.id, 'Mara Vell');
		client.breaker.silent();
		client.breaker.silent();
		bench.service.silent = true;
		await tick(60_000);
		expect(calls()).toBe(0);
	});

	test('of somebody who has signed out are watched no more, in no tab', async () => {
		const { bench, client, session, watching, tick } = await page();
		await watching.toggle(session.id, 'Mara Vell');
		const later = bench.tab('tab-2');
		await later.recall();
		const again = new Watching(later, new Explorer(later), () => bench.time);
		again.follow();
		expect(again.has(session.id, 'Mara Vell')).toBe(true);
		await client.signOut(session.id);
		await tick(1000);
		expect(watching.rows).toEqual([]);
		await expect.poll(() => again.rows).toEqual([]);
	});
});

describe('the user is away', () => {
	test('the application acts at once and goes on, each time by its refresh token', async () => {
		const { bench, session, watching, calls, tick } = await page();
		await watching.leave(session, 'Mara Vell');
		expect([watching.away, watching.acted, calls()]).toEqual([session.id, 1, 1]);
		for (let minutes = 0; minutes < 10; minutes += 1) await tick(60_000);
		expect([watching.acted, calls()]).toEqual([11, 11]);
		expect(bench.service.count('/token/')).toBe(12);
		await watching.touch(session.id);
		expect(watching.away).toBeUndefined();
	});

	test('another page does not bring them back, nor does somebody else', async () => {
		const { bench, client, session, watching } = await page();
		await watching.leave(session, 'Mara Vell');
		const other = await bench.signIn(client);
		await watching.touch(other.id);
		const later = bench.tab('tab-2');
		await later.recall();
		const again = new Watching(later, new Explorer(later), () => bench.time);
		again.follow();
		expect([again.away, again.acted]).toEqual([session.id, 1]);
		await again.return();
		await expect.poll(() => watching.away).toBeUndefined();
	});

	test('access that is taken away meanwhile ends it: one refusal, no loop', async () => {
		const { bench, session, watching, tick } = await page();
		await watching.leave(session, 'Mara Vell');
		bench.service.revokeAll();
		await tick(15_000);
		expect(watching.rows[0]?.last).toBe('access_revoked');
		const sent = bench.service.requests.length;
		for (let times = 0; times < 10; times += 1) await tick(15_000);
		expect(watching.away).toBeUndefined();
		expect(bench.service.requests).toHaveLength(sent);
	});
});
