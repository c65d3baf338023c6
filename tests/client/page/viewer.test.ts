import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { outOfBand, pocketCompanion } from '#client/application.ts';
import { Client } from '#client/client.ts';
import { Companion } from '#client/page/companion.svelte.ts';
import { Viewer } from '#client/page/viewer.svelte.ts';
import { wishes, Workbench } from '../workbench.ts';

// The viewer works once a second; nothing else of it waits for a clock.
beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

async function opened(chosen = wishes) {
	const bench = new Workbench();
	bench.service.offline = chosen.access_type === 'offline';
	const client = bench.tab('tab-1');
	const session = await bench.signIn(client, chosen);
	const viewer = new Viewer(client, true, () => bench.time);
	const end = viewer.start();
	await expect.poll(() => viewer.people.current?.id).toBe(session.id);
	const pass = (milliseconds: number) => {
		bench.time += milliseconds;
		vi.advanceTimersByTime(1000);
	};
	return { bench, client, session, viewer, end, pass };
}

describe('the viewer', () => {
	test('looks for whoever is chosen; an empty name asks nobody', async () => {
		const { bench, viewer } = await opened();
		const sent = bench.service.requests.length;
		await viewer.look('  ');
		expect(bench.service.requests).toHaveLength(sent);
		await viewer.look(' Mara Vell ');
		expect(viewer.explorer.view).toMatchObject({ kind: 'shown', sheet: { character: { name: 'Mara Vell' } } });
	});

	test('renews the token of whoever is chosen ahead of its end, without being asked', async () => {
		const { bench, client, session, pass } = await opened();
		pass(3_920_000 - 120_000);
		await expect.poll(() => bench.service.count('/token/')).toBe(1);
		pass(90_000);
		await expect.poll(() => bench.service.count('/token/')).toBe(2);
		expect(await client.sessions.get(session.id)).toMatchObject({ renewals: 1, ended: null });
	});

	test('notices when online access is over', async () => {
		const { viewer, pass } = await opened({ ...wishes, access_type: 'online' });
		pass(3_921_000);
		await expect.poll(() => viewer.people.current?.ended).toBe('session_expired');
	});

	test('leaves a service that is silent alone', async () => {
		const { bench, client, pass } = await opened();
		client.breaker.silent();
		client.breaker.silent();
		bench.service.standing = { state: 'blacklisted', reason: '' };
		pass(4_000_000);
		await expect.poll(() => bench.service.count('/ratelimiting')).toBe(1);
		expect(bench.service.count('/token/')).toBe(1);
	});

	test('says how long the throttle would hold the next call back, and nothing where that is off', async () => {
		const { bench, viewer } = await opened();
		bench.service.remaining = 61;
		await viewer.look('Mara Vell');
		expect(viewer.wait).toBeGreaterThan(10_000);
		viewer.controls.throttle = false;
		expect(viewer.wait).toBe(0);
	});

	test('says that the next call waits for the reset where the limit is used up, and for the end of a silence', async () => {
		const { bench, client, viewer } = await opened();
		bench.service.remaining = 1;
		await viewer.look('Mara Vell');
		await viewer.look("Tomas d'Arc");
		expect(viewer.wait).toBe('reset');
		client.breaker.silent();
		client.breaker.silent();
		expect(viewer.wait).toBe('silence');
	});

	test('somebody who leaves is not waited for on the sign-in panel', async () => {
		const { client, session, viewer } = await opened();
		viewer.signIn.invite(session);
		await client.sessions.forget(session.id);
		await expect.poll(() => viewer.people.list).toEqual([]);
		expect(viewer.signIn.again).toBeUndefined();
	});

	test('works on where storage breaks while it stands', async () => {
		const { bench, client, session, viewer, pass } = await opened();
		await viewer.watching.toggle(session.id, 'Mara Vell');
		const unheard: unknown[] = [];
		const hear = (fault: unknown) => unheard.push(fault);
		process.on('unhandledRejection', hear);
		const broken = () => Promise.reject(new Error('the disk is gone'));
		const reading = vi.spyOn(bench.shelf, 'read').mockImplementation(broken);
		const writing = vi.spyOn(bench.shelf, 'update').mockImplementation(broken);
		client.ledger.observe('/p', { limit: 2, remaining: 1, reset: bench.time + 60_000 }, bench.time);
		pass(20_000);
		viewer.people.choose(session.id);
		viewer.controls.throttle = false;
		bench.surroundings('tab-2').bell.ring();
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', hear);
		expect(reading).toHaveBeenCalled();
		expect(writing).toHaveBeenCalled();
		expect(unheard).toEqual([]);
		expect(viewer.controls.throttle).toBe(false);
	});

	test('does nothing more once it is left', async () => {
		const { bench, end, pass } = await opened();
		end();
		pass(3_900_000);
		expect(bench.service.count('/token/')).toBe(1);
	});
});

test('the companion shows whom it has just signed in, and puts its panel away', async () => {
	const bench = new Workbench();
	bench.service.client_secret = 'companion-secret';
	const client = new Client(bench.service.base_url, bench.surroundings('tab-1'), pocketCompanion(outOfBand));
	const companion = new Companion(
		client,
		{ persistent: true, now: () => bench.time },
		{
			open: () => undefined,
			often: () => () => undefined
		}
	);
	const { viewer } = companion;
	expect(viewer.signIn.access_type).toBe('offline');
	viewer.start();
	await expect.poll(() => viewer.signIn.request).toBeDefined();
	viewer.signIn.add();
	await companion.outOfBand.begin();
	await companion.outOfBand.bring('code-number-one');
	await expect.poll(() => viewer.people.current?.client_id).toBe('pocket-companion');
	expect(viewer.signIn.open).toBe(false);
});
