import { describe, expect, test } from 'vitest';
import type { Client } from '#client/client.ts';
import { Explorer } from '#client/page/explorer.svelte.ts';
import { Meters } from '#client/page/meters.svelte.ts';
import { SignIn } from '#client/page/sign-in.svelte.ts';
import { Viewer } from '#client/page/viewer.svelte.ts';
import { MemoryShelf, type Kept } from '#client/shelf.ts';
import { Workbench } from './workbench.ts';

/** A page with somebody signed in, and a way to load it anew. */
async function page() {
	const bench = new Workbench();
	const client = bench.tab('tab-1');
	const session = await bench.signIn(client);
	const reloaded = async (tab = 'tab-1', base_url?: string): Promise<Client> => {
		const place = base_url === undefined ? bench : new Workbench(base_url);
		const next = place.tab(tab, { shelf: bench.shelf });
		await next.recall();
		return next;
	};
	return { bench, client, session, reloaded };
}

describe('the character, after a reload', () => {
	async function looked(format: 'json' | 'xml' = 'json') {
		const made = await page();
		const { bench, client, session } = made;
		await client.switches.change({ format });
		const xml = '<character><name>Mara Vell</name><class>Ranger</class></character>';
		const headers = { 'content-type': 'application/xml' };
		if (format === 'xml') bench.service.override = () => new Response(xml, { headers });
		const explorer = new Explorer(client);
		await explorer.show(session, 'Mara Vell');
		const calls = () => bench.service.requests.filter(({ url }) => url.pathname.includes('/character/')).length;
		return { ...made, explorer, calls };
	}

	test.each(['json', 'xml'] as const)('stands there again as it came in %s, with its age', async (format) => {
		const { bench, session, explorer, reloaded, calls } = await looked(format);
		bench.time += 50_000;
		const later = await reloaded();
		const again = new Explorer(later);
		expect(again.name).toBe('Mara Vell');
		const [before, after] = [explorer.viewOf(session.id), again.viewOf(session.id)];
		if (before.kind !== 'shown' || after.kind !== 'shown') throw new Error('nothing is shown');
		expect(after.sheet.character).toEqual(before.sheet.character);
		expect(after.sheet.answer).toEqual({ ...before.sheet.answer, budget: undefined });
		expect(after.cached).toBe(true);
		expect(Math.abs(later.clock.now() - after.at - 50_000)).toBeLessThan(1000); // `Date` tells whole seconds
		await again.show(session, 'Mara Vell');
		expect(calls()).toBe(1);
		bench.time += 11_000;
		await again.show(session, 'Mara Vell');
		expect(calls()).toBe(2);
	});

	test('is shown to nobody else, in no other tab and at no other service', async () => {
		const { bench, client, session, reloaded } = await looked();
		const other = await bench.signIn(client);
		expect(new Explorer(await reloaded()).viewOf(other.id).kind).toBe('nothing');
		expect(new Explorer(await reloaded('tab-2')).viewOf(session.id).kind).toBe('nothing');
		const elsewhere = new Explorer(await reloaded('tab-1', 'https://other.example'));
		expect([elsewhere.name, elsewhere.viewOf(session.id).kind]).toEqual(['', 'nothing']);
	});

	test('without the cache only its name is kept', async () => {
		const { bench, client, session, explorer, reloaded } = await looked();
		await client.switches.change({ cache: false });
		expect(new Explorer(await reloaded()).viewOf(session.id).kind).toBe('nothing');
		await explorer.show(session, 'Half/Life');
		expect(JSON.stringify(await bench.shelf.read('desks'))).toContain('"answer":null');
		await client.switches.change({ cache: true });
		const again = new Explorer(await reloaded());
		expect([again.name, again.viewOf(session.id).kind]).toEqual(['Half/Life', 'nothing']);
	});

	test('of a name that was refused the name is kept', async () => {
		const { bench, session, explorer, reloaded } = await looked();
		bench.service.override = () => Response.json({ error: 'not_found' }, { status: 404 });
		await explorer.show(session, 'Nobody');
		const again = new Explorer(await reloaded());
		expect([again.name, again.viewOf(session.id).kind]).toEqual(['Nobody', 'nothing']);
	});

	test('what a poll has brought is what comes back', async () => {
		const { bench, client, session, explorer, reloaded } = await looked();
		bench.time += 15_000;
		explorer.adopt(session.id, await explorer.ask(session, 'Mara Vell'));
		const view = new Explorer(await reloaded()).viewOf(session.id);
		expect(view).toMatchObject({ kind: 'shown', at: client.clock.now() });
	});

	test('who signs out leaves nothing of it, in any tab', async () => {
		const { bench, client, session, reloaded } = await looked();
		const viewer = new Viewer(client, true, () => bench.time);
		const other = await reloaded('tab-2');
		await new Explorer(other).show(session, 'Half/Life');
		await viewer.people.load();
		await client.signOut(session.id);
		await viewer.people.load();
		await expect.poll(() => bench.shelf.read('desks')).toMatchObject([{ look: null }, { look: null }]);
	});

	test('who signs out takes nothing of anybody else', async () => {
		const { bench, client, session, reloaded } = await looked();
		const other = await bench.signIn(client);
		await client.desk.clear(other.id);
		expect(new Explorer(await reloaded()).viewOf(session.id).kind).toBe('shown');
		await client.desk.clear(session.id);
		await client.desk.put({ limits: null });
		expect(new Explorer(await reloaded()).viewOf(session.id).kind).toBe('nothing');
	});

	test('a very long answer is not kept', async () => {
		const { bench, session, explorer, reloaded } = await looked();
		bench.service.override = () => Response.json({ name: 'Long', tale: 'x'.repeat(70_000) });
		await explorer.show(session, 'Long');
		expect(explorer.viewOf(session.id).kind).toBe('shown');
		const again = new Explorer(await reloaded());
		expect([again.name, again.viewOf(session.id).kind]).toEqual(['Long', 'nothing']);
	});
});

describe('the choices of the sign-in panel, after a reload', () => {
	const chosen = { scope: ['character_read', 'credits_read'], access_type: 'offline', renew: true, pkce: false };

	async function choosing() {
		const made = await page();
		const signIn = new SignIn(made.client);
		signIn.toggle('credits_read', true);
		signIn.access_type = 'offline';
		signIn.renew = true;
		signIn.pkce = false;
		return { ...made, signIn };
	}

	test('stand as they were left, in this tab', async () => {
		const { reloaded } = await choosing();
		expect(new SignIn(await reloaded())).toMatchObject(chosen);
		const usual = { scope: ['character_read'], access_type: 'online', renew: false, pkce: true };
		expect(new SignIn(await reloaded('tab-2'))).toMatchObject(usual);
	});

	test('begin anew once somebody has signed in by them', async () => {
		const { signIn, reloaded } = await choosing();
		signIn.done();
		const usual = { scope: ['character_read'], access_type: 'online', renew: false, pkce: true };
		expect(signIn).toMatchObject(usual);
		expect(new SignIn(await reloaded())).toMatchObject(usual);
	});

	test('an application that asks for offline access asks for it again', async () => {
		const { client } = await page();
		const signIn = new SignIn(client, 'offline');
		signIn.access_type = 'online';
		signIn.done();
		expect(signIn.access_type).toBe('offline');
	});
});

test('the table of ratelimits stands there again, with the time it was said', async () => {
	const { bench, client, session, reloaded } = await page();
	const record = {
		pattern: '/ws/v2.0/character/*',
		limit: 600,
		remaining: 7,
		reset: 1_800_000_000,
		reset_time: 'then'
	};
	bench.service.override = () => Response.json({ ratelimit: [record] });
	const meters = new Meters(client);
	await meters.ask(session.id);
	bench.time += 60_000;
	const again = new Meters(await reloaded());
	expect([again.records, again.asked]).toEqual([meters.records, meters.asked]);
	expect(again.records).toHaveLength(1);
});

test('twenty tabs are remembered, the one that wrote least recently gives way', async () => {
	const { bench } = await page();
	const limits = { records: [], asked: 1 };
	for (let tab = 1; tab <= 20; tab += 1) await bench.tab(`tab-${String(tab)}`).desk.put({ limits });
	await bench.tab('tab-1').desk.put({ limits });
	await bench.tab('tab-21').desk.put({ limits });
	const tabs = (await bench.shelf.read('desks'))?.map(({ tab }) => tab) ?? [];
	expect(tabs).toHaveLength(20);
	expect(tabs).not.toContain('tab-2');
	expect(tabs.slice(-2)).toEqual(['tab-1', 'tab-21']);
});

test('storage that refuses is no reason to show nothing', async () => {
	const bench = new Workbench();
	const broken = new (class extends MemoryShelf {
		override update<K extends keyof Kept>(key: K, change: (now: Kept[K] | undefined) => Kept[K]): Promise<Kept[K]> {
			return key === 'desks' ? Promise.reject(new Error('the disk is full')) : super.update(key, change);
		}
	})();
	const client = bench.tab('tab-1', { shelf: broken });
	const session = await bench.signIn(client);
	const explorer = new Explorer(client);
	await explorer.show(session, 'Mara Vell');
	explorer.forget(session.id);
	new SignIn(client).renew = true;
	await explorer.show(session, 'Mara Vell');
	expect(explorer.viewOf(session.id).kind).toBe('shown');
});
