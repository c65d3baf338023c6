import { describe, expect, test, vi } from 'vitest';
import { People } from '#client/page/people.svelte.ts';
import { gate, wishes, Workbench } from '../workbench.ts';

/** Two people who are signed in, as the page of one tab knows them. */
async function page() {
	const bench = new Workbench();
	const client = bench.tab('tab-1');
	const first = await bench.signIn(client);
	const second = await bench.signIn(client);
	const gone: string[] = [];
	const people = new People(client, (id) => gone.push(id));
	const departures: (readonly [label: string, wasChosen: boolean])[] = [];
	people.listen(({ session, wasChosen }) => departures.push([session.label, wasChosen]));
	const end = people.follow();
	await expect.poll(() => people.loaded).toBe(true);
	return { bench, client, people, first, second, gone, departures, end };
}

/** Holds the service's answers to one path back, until they are let go. */
function held(bench: Workbench, path: string) {
	const { closed, open } = gate();
	bench.service.override = ({ url }) => (url.pathname.endsWith(path) ? closed : undefined);
	return open;
}

describe('whom the page acts for', () => {
	test('whoever came last, until somebody is chosen; the same after a reload', async () => {
		const { bench, people, first, second } = await page();
		expect(people.current?.id).toBe(second.id);
		people.choose(first.id);
		expect(people.current?.id).toBe(first.id);
		const later = new People(bench.tab('tab-1'), () => undefined);
		await later.load();
		expect(later.current?.id).toBe(first.id);
	});

	test('somebody who arrives while the list is being read stays chosen', async () => {
		const { bench, client, people } = await page();
		const reading = people.load();
		const third = await bench.signIn(client, wishes);
		people.choose(third.id);
		await reading;
		await people.load();
		expect(people.current?.id).toBe(third.id);
	});

	test('whoever was chosen and is gone makes room for somebody whose session is alive', async () => {
		const { client, people, first, second, gone } = await page();
		await client.sessions.end(first.id, 'access_revoked');
		const third = await client.sessions.get(second.id);
		people.choose(second.id);
		await people.forget(second.id);
		await expect.poll(() => gone).toEqual([third?.id]);
		expect(people.current?.id).toBe(first.id);
	});

	test('a sign-out in another tab is followed and told, until following ends', async () => {
		const { bench, people, first, second, end, departures } = await page();
		await bench.tab('tab-2').signOut(first.id);
		await expect.poll(() => people.list.map(({ id }) => id)).toEqual([second.id]);
		expect(departures).toEqual([['Person 1', false]]);
		end();
		await bench.tab('tab-2').signOut(second.id);
		expect(people.list).toHaveLength(1);
	});
});

describe('signing out', () => {
	test('pressed twice it happens once, and the word stays', async () => {
		const { bench, people, first } = await page();
		const letGo = held(bench, '/revoke');
		const once = people.signOut(first.id);
		const twice = people.signOut(first.id);
		expect(people.isBusy(first.id)).toBe(true);
		letGo();
		await Promise.all([once, twice]);
		expect(people.word?.title).toBe('Signed out');
		expect(bench.service.count('/revoke')).toBe(1);
		expect(people.isBusy(first.id)).toBe(false);
	});

	test('two people are busy each for themselves', async () => {
		const { bench, people, first, second } = await page();
		const letGo = held(bench, '/revoke');
		const out = people.signOut(first.id);
		await people.renew(second);
		expect(people.isBusy(first.id)).toBe(true);
		expect(people.isBusy(second.id)).toBe(false);
		letGo();
		await out;
		expect(people.isBusy(first.id)).toBe(false);
	});

	test('where the service is silent one can forget the person here; then nothing is stuck any more', async () => {
		const { bench, people, first } = await page();
		bench.service.silent = true;
		await people.signOut(first.id);
		expect(people.word).toMatchObject({ tone: 'error', title: 'No answer at all' });
		expect(people.stuck).toBe(first.id);
		expect(people.isBusy(first.id)).toBe(false);
		await people.forget(first.id);
		expect(people.stuck).toBeUndefined();
		expect(people.word).toMatchObject({ tone: 'caution', title: 'Forgotten here' });
		expect(people.word?.why).toContain('did not end the access');
		await expect.poll(() => people.list).toHaveLength(1);
	});

	test('here it is told in its place alone: who was signed out or removed did not leave elsewhere', async () => {
		const { bench, client, people, first, second, departures } = await page();
		await people.signOut(first.id);
		await client.sessions.end(second.id, 'access_revoked');
		await people.forget(second.id);
		await expect.poll(() => people.list).toEqual([]);
		expect(people.word).toBeUndefined();
		expect(departures).toEqual([]);

		const third = await bench.signIn(client);
		await expect.poll(() => people.list).toHaveLength(1);
		bench.service.silent = true;
		await people.signOut(third.id);
		bench.service.silent = false;
		await bench.tab('tab-2').signOut(third.id);
		await expect.poll(() => departures).toEqual([[third.label, true]]);
	});

	test('where nobody can be forgotten for want of storage it is said, can be tried again, and is no sign-out of this page', async () => {
		const { bench, client, people, first, departures } = await page();
		bench.service.silent = true;
		await people.signOut(first.id);
		const forget = vi.spyOn(client.sessions, 'forget').mockRejectedValueOnce(new Error('the disk is full'));
		await people.forget(first.id);
		expect(people.word).toMatchObject({ tone: 'error' });
		expect(people.stuck).toBe(first.id);
		bench.service.silent = false;
		await bench.tab('tab-2').signOut(first.id);
		await expect.poll(() => departures).toEqual([[first.label, false]]);
		expect(forget).toHaveBeenCalledOnce();
	});

	test('somebody who was stuck and is gone by another tab is stuck no more', async () => {
		const { bench, people, first } = await page();
		bench.service.silent = true;
		await people.signOut(first.id);
		bench.service.silent = false;
		await bench.tab('tab-2').signOut(first.id);
		await expect.poll(() => people.list).toHaveLength(1);
		expect(people.stuck).toBeUndefined();
	});

	test('online access is forgotten, and it is said that the token lives on', async () => {
		const { bench, client, people } = await page();
		bench.service.offline = false;
		const third = await bench.signIn(client, { ...wishes, access_type: 'online' });
		await people.signOut(third.id);
		expect(people.word?.title).toBe('Forgotten here');
	});
});

describe('names and tokens', () => {
	test('a name is trimmed and cut; an empty one changes nothing', async () => {
		const { people, first } = await page();
		await people.rename(first.id, `  ${'Zoë '.repeat(20)}`);
		await people.rename(first.id, '   ');
		await expect.poll(() => people.list[0]?.label).toBe('Zoë '.repeat(10));
	});

	test('a refresh that fails says why, and leaves nothing busy', async () => {
		const { bench, people, first } = await page();
		bench.service.revokeAll();
		await people.renew(first);
		expect(people.word?.title).toBe('The access was taken away');
		expect(people.isBusy(first.id)).toBe(false);
		people.choose(first.id);
		expect(people.word).toBeUndefined();
	});
});
