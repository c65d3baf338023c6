import { describe, expect, test } from 'vitest';
import { ClientError } from '#client/oauth/client-error.ts';
import { CharacterLookup } from '#features/viewer/character-lookup.svelte.ts';
import { ResponseCache } from '#features/viewer/character-lookup.svelte.ts';
import { SignedInUsers } from '#features/viewer/users.svelte.ts';
import { offline, TestBrowser } from '../../client/test-browser.ts';
import { down } from '../../client/test-service.ts';

async function open() {
	const browser = new TestBrowser();
	const { service } = browser;
	const client = await browser.open();
	void client.settings.update({ throttle: false });
	const user = await browser.signIn(client);
	const lookup = new CharacterLookup(client);
	const calls = () => service.requests.filter(({ url }) => url.pathname.includes('/character/')).length;
	const reload = async (tab = 'tab-1') => new CharacterLookup(await browser.open(tab));
	const state = () => lookup.stateFor(user.id);
	const setLimit = (character: number) => service.control('PATCH', '/control/settings', { limits: { character } });
	return { browser, service, client, user, lookup, calls, reload, state, setLimit };
}

describe('a lookup', () => {
	test('shows the last requested name, whatever the order of the responses', async () => {
		const { service, user, lookup, state } = await open();
		let respond = (): void => undefined;
		service.intercept = ({ url }) =>
			url.pathname.endsWith('Vell') ? new Promise((resolve) => (respond = () => resolve(undefined))) : undefined;
		const slow = lookup.lookUp(user, 'Mara Vell');
		expect(lookup.pendingName).toBe('Mara Vell');
		await lookup.lookUp(user, 'Half/Life');
		respond();
		await slow;
		expect(state()).toMatchObject({ kind: 'found', result: { character: { name: 'Half/Life' } } });
		expect(lookup.pendingName).toBeUndefined();
	});

	test('shows an error', async () => {
		const { service, user, lookup, state } = await open();
		await lookup.lookUp(user, 'No such character');
		expect(state()).toMatchObject({ kind: 'failed', name: 'No such character', error: { code: 'not_found' } });
		service.intercept = () => Response.json(['odd']);
		await lookup.lookUp(user, 'Mara Vell');
		expect(state()).toMatchObject({ error: { code: 'unexpected_response' } });
	});

	test('uses the preferred format and the preferred place of the token', async () => {
		const { service, client, user, lookup, state } = await open();
		void client.settings.update({ format: 'xml', credential: 'query' });
		await lookup.lookUp(user, 'Mara Vell');
		expect(service.requests.at(-1)?.url.search).toContain('access_token=');
		expect(state()).toMatchObject({ result: { response: { format: 'xml' }, character: { name: 'Mara Vell' } } });
	});

	test('is not shown to another user', async () => {
		const { browser, client, user, lookup } = await open();
		const other = await browser.signIn(client, offline, 'player-two');
		await lookup.lookUp(user, 'Mara Vell');
		expect(lookup.stateFor(other.id).kind).toBe('empty');
	});

	test('is deleted with its user, also one under way', async () => {
		const { service, client, user, lookup, state } = await open();
		await lookup.lookUp(user, 'Mara Vell');
		const pending = lookup.lookUp(user, 'Half/Life');
		lookup.forget(user.id);
		await pending;
		expect([state().kind, client.tab.value.lastLookup]).toEqual(['empty', null]);
		service.intercept = down;
		await lookup.lookUp(user, 'Mara Vell');
		expect(state().kind).toBe('failed');
	});
});

describe('a lookup that the throttle holds back', () => {
	/** A lookup whose delay lasts until the test ends it, step by step. */
	async function held() {
		const opened = await open();
		const { browser, service, client, user, setLimit } = opened;
		let steps = 0;
		const tab = await browser.open('tab-1', {
			sleep: (milliseconds, signal) => {
				steps += 1;
				service.time += milliseconds;
				// A macrotask, so that the page can act in between.
				return new Promise((resolve, reject) =>
					setImmediate(() => (signal?.aborted ? reject(new ClientError('aborted')) : resolve()))
				);
			}
		});
		await setLimit(3);
		await tab.settings.update({ throttle: true });
		const lookup = new CharacterLookup(tab);
		await lookup.lookUp(user, 'Mara Vell');
		await lookup.lookUp(user, "Tomas d'Arc");
		return { ...opened, client, tab, lookup, state: () => lookup.stateFor(user.id), steps: () => steps };
	}

	test('shows until when, and is replaced by the next one', async () => {
		const { service, user, lookup, state } = await held();
		const { time } = service;
		const first = lookup.lookUp(user, '100% Orc');
		expect(lookup.heldUntil).toBe(time + 20_000);
		const second = lookup.lookUp(user, 'Half/Life');
		await Promise.all([first, second]);
		expect(state()).toMatchObject({ kind: 'found', result: { character: { name: 'Half/Life' } } });
		expect(service.requests.filter(({ url }) => url.pathname.includes('Orc'))).toEqual([]);
	});

	test('is sent when throttling is turned off', async () => {
		const { tab, user, lookup, state, steps } = await held();
		const pending = lookup.lookUp(user, 'Half/Life');
		await tab.settings.update({ throttle: false });
		await pending;
		expect(state()).toMatchObject({ kind: 'found' });
		expect(steps()).toBeLessThan(5);
	});
});

describe('the cache', () => {
	test('saves requests for a minute, unless the lookup reloads or the cache is off', async () => {
		const { service, client, user, lookup, calls, state } = await open();
		await lookup.lookUp(user, 'Mara Vell');
		service.time += 59_000;
		await lookup.lookUp(user, 'Mara Vell');
		expect([calls(), state()]).toMatchObject([1, { isCached: true }]);
		await lookup.lookUp(user, 'Mara Vell', true);
		expect([calls(), state()]).toMatchObject([2, { isCached: false }]);
		service.time += 61_000;
		await lookup.lookUp(user, 'Mara Vell');
		expect(calls()).toBe(3);
		void client.settings.update({ cache: false });
		await lookup.lookUp(user, 'Mara Vell');
		expect(calls()).toBe(4);
	});

	test('is not used for a user whose session has ended', async () => {
		const { browser, client, user, lookup, state } = await open();
		await lookup.lookUp(user, 'Mara Vell');
		await client.tokens.end(user.id, 'access_revoked');
		await lookup.lookUp(await browser.user(client, user.id), 'Mara Vell');
		expect(state()).toMatchObject({ kind: 'failed', error: { code: 'access_revoked' } });
	});

	test('is separate for each user, format and scope', async () => {
		const { browser, client, user, lookup, calls } = await open();
		const other = await browser.signIn(client, offline, 'player-two');
		await lookup.lookUp(user, 'Mara Vell');
		await lookup.lookUp(other, 'Mara Vell');
		await lookup.lookUp({ ...user, scope: ['character_read', 'credits_read'] }, 'Mara Vell');
		void client.settings.update({ format: 'xml' });
		await lookup.lookUp(user, 'Mara Vell');
		expect(calls()).toBe(4);
	});

	test('evicts the oldest of 200 entries', () => {
		const cache = new ResponseCache<number>(1000);
		for (let entry = 0; entry <= 200; entry += 1) cache.set(`key ${String(entry)}`, entry, 0);
		expect([cache.get('key 0', 0), cache.get('key 1', 0)?.value]).toEqual([undefined, 1]);
		expect([cache.get('key 1', 1000), cache.get('key 1', -1000)]).toEqual([undefined, undefined]);
		cache.deleteByPrefix('key 1');
		expect([cache.get('key 12', 0), cache.get('key 2', 0)?.value]).toEqual([undefined, 2]);
	});
});

describe('after a reload', () => {
	test.each(['json', 'xml'] as const)('shows the last character again, from %s, with its age', async (format) => {
		const { service, client, user, lookup, reload, calls, state } = await open();
		void client.settings.update({ format });
		await lookup.lookUp(user, 'Mara Vell');
		const before = state();
		service.time += 50_000;
		const again = await reload();
		const after = again.stateFor(user.id);
		expect([again.name, after]).toMatchObject(['Mara Vell', { kind: 'found', isCached: true }]);
		if (before.kind !== 'found' || after.kind !== 'found') throw new Error('not found');
		expect([after.at, after.result.character]).toEqual([before.at, before.result.character]);
		await again.lookUp(user, 'Mara Vell');
		expect(calls()).toBe(1);
	});

	test('shows nothing in other tabs, and nothing that must not be cached', async () => {
		const { browser, service, client, user, lookup, reload } = await open();
		await lookup.lookUp(user, 'Mara Vell');
		expect((await reload('tab-2')).stateFor(user.id).kind).toBe('empty');
		service.intercept = () => Response.json({ name: 'Long', tale: 'x'.repeat(70_000) });
		await lookup.lookUp(user, 'Long');
		const long = await reload();
		expect([long.name, long.stateFor(user.id).kind]).toEqual(['Long', 'empty']);
		service.intercept = undefined;
		void client.settings.update({ cache: false });
		await lookup.lookUp(user, 'Mara Vell');
		expect(browser.tabContent()).not.toContain('Ranger');
		expect((await reload()).stateFor(user.id).kind).toBe('empty');
	});

	test('deletes the character of a user who signed out in another tab meanwhile', async () => {
		const { browser, user, lookup, client } = await open();
		await lookup.lookUp(user, 'Mara Vell');
		await (await browser.open('tab-2')).signOut(user.id);
		const users = new SignedInUsers(client, (id) => lookup.forget(id));
		await users.load();
		expect(browser.tabContent()).not.toContain('Mara Vell');
	});
});

describe('over the limit', () => {
	test('repeats the lookup once after the reset', async () => {
		const { service, user, lookup, calls, state, setLimit } = await open();
		await setLimit(1);
		await lookup.lookUp(user, 'Mara Vell', true);
		await lookup.lookUp(user, 'Half/Life', true);
		expect(state()).toMatchObject({ kind: 'waiting', name: 'Half/Life', retryAt: service.time + 3_600_000 });
		lookup.name = 'Tom';
		service.time += 3_599_000;
		lookup.tick();
		expect(calls()).toBe(2);
		service.time += 1000;
		lookup.tick();
		lookup.tick();
		await expect.poll(() => state().kind).toBe('found');
		expect([calls(), lookup.name]).toEqual([3, 'Tom']);
	});

	test('can be canceled', async () => {
		const { service, user, lookup, calls, state, setLimit } = await open();
		await setLimit(1);
		await lookup.lookUp(user, 'Mara Vell', true);
		await lookup.lookUp(user, 'Half/Life', true);
		lookup.cancel();
		service.time += 3_700_000;
		lookup.tick();
		expect([state().kind, calls()]).toEqual(['empty', 2]);
	});
});
