import 'fake-indexeddb/auto';
import { createStore, get, set } from 'idb-keyval';
import { describe, expect, test, vi } from 'vitest';
import { PendingAuthorizations } from '#client/oauth/pending-authorizations.ts';
import { IndexedDbStorage } from '#client/storage/indexed-db.ts';
import { pendingStore, UserStore } from '#client/storage/user-store.ts';
import { MemoryStorage } from '#client/storage/shared-storage.ts';
import { BrowserSettings } from '#client/storage/settings.svelte.ts';
import { TabState } from '#client/storage/tab-state.svelte.ts';
import { EventLog } from '#features/viewer/event-log.svelte.ts';
import { errorCode, TestBrowser } from '../test-browser.ts';

async function signedInUser() {
	const browser = new TestBrowser();
	return browser.signIn(await browser.open());
}

describe('IndexedDB', () => {
	test('returns what was stored, also in another tab', async () => {
		const user = await signedInUser();
		await new IndexedDbStorage('db-1').update('users', () => [user]);
		expect(await new IndexedDbStorage('db-1').get('users')).toEqual([user]);
		expect(await new IndexedDbStorage('db-2').get('users')).toEqual([]);
	});

	test('leaves out damaged entries, and nothing else', async () => {
		const user = await signedInUser();
		const store = createStore('db-3', 'shared');
		await set('users', [user, { ...user, expiresAt: 'soon' }, null], store);
		await set('pending', 'damaged', store);
		await set('settings', [{ issuer: 'https://a.test', throttle: 'odd', cache: false, clockOffset: NaN }], store);
		const storage = new IndexedDbStorage('db-3');
		expect(await storage.get('users')).toEqual([user]);
		expect(await storage.get('pending')).toEqual([]);
		const settings = new BrowserSettings(storage, 'https://a.test');
		await settings.load();
		expect(settings.value).toMatchObject({ throttle: true, cache: false, format: 'json', clockOffset: 0 });
	});

	test('changes nothing if the change throws', async () => {
		const user = await signedInUser();
		const storage = new IndexedDbStorage('db-4');
		await storage.update('users', () => [user]);
		const failing = storage.update('users', () => {
			throw new Error('no');
		});
		await expect(failing).rejects.toThrow('no');
		expect(await storage.get('users')).toEqual([user]);
	});

	test('accepts a state once although four tabs race for it', async () => {
		const storages = [1, 2, 3, 4].map(() => new IndexedDbStorage('db-5'));
		const tabs = storages.map((storage) => new PendingAuthorizations(pendingStore(storage)));
		const request = {
			state: 's',
			issuer: 'i',
			redirect_uri: 'r',
			scope: [],
			access_type: 'online',
			code_verifier: 'v',
			tokenSetId: null
		} as const;
		await tabs[0]?.add(request);
		const codes = await Promise.all(tabs.map((tab) => errorCode(tab.consume('s', 'i'))));
		expect(codes.toSorted()).toEqual(['none', 'state_used', 'state_used', 'state_used']);
		expect(JSON.stringify(await get('pending', createStore('db-5', 'shared')))).not.toContain('"v"');
	});

	test('tells all tabs about a change', async () => {
		const [one, other] = [new IndexedDbStorage('db-6'), new IndexedDbStorage('db-6')];
		const [own, remote] = [vi.fn(), vi.fn()];
		one.subscribe(own);
		const stop = other.subscribe(remote);
		await one.update('users', () => []);
		expect(own).toHaveBeenCalledTimes(1);
		await expect.poll(() => remote.mock.calls.length).toBe(1);
		stop();
	});
});

test('keeps the last 20 pending authorizations and the settings of the last 20 services', async () => {
	const storage = new MemoryStorage();
	const pending = new PendingAuthorizations(pendingStore(storage));
	const request = {
		issuer: 'i',
		redirect_uri: 'r',
		scope: [],
		access_type: 'online',
		code_verifier: null,
		tokenSetId: null
	} as const;
	for (let number = 0; number < 21; number += 1) {
		await pending.add({ ...request, state: `state ${String(number)}` });
		await new BrowserSettings(storage, `service ${String(number)}`).update({ clockOffset: 7 });
	}
	expect(await errorCode(pending.consume('state 0', 'i'))).toBe('state_unknown');
	expect(await errorCode(pending.consume('state 1', 'i'))).toBe('none');
	const [first, second] = [new BrowserSettings(storage, 'service 0'), new BrowserSettings(storage, 'service 1')];
	await Promise.all([first.load(), second.load()]);
	expect([first.value.clockOffset, second.value.clockOffset]).toEqual([0, 7]);
});

test('the settings change in all tabs at once', async () => {
	const browser = new TestBrowser();
	const [one, other] = [await browser.open('tab-1'), await browser.open('tab-2')];
	await one.settings.update({ throttle: false, format: 'xml' });
	expect(one.settings.value).toMatchObject({ throttle: false, format: 'xml', cache: true });
	await expect.poll(() => other.settings.value.throttle).toBe(false);
	expect((await browser.open('tab-3')).settings.value.format).toBe('xml');
});

test('a user store keeps the label of a user when the tokens change', async () => {
	const browser = new TestBrowser();
	const client = await browser.open();
	const user = await browser.signIn(client);
	const store = new UserStore(browser.storage, browser.service.baseUrl);
	await store.rename(user.id, 'Zoë');
	await store.update(user.id, (current) => current && { ...current, access_token: 'new' });
	expect(await store.get(user.id)).toMatchObject({ label: 'Zoë', access_token: 'new' });
});

describe('the tab state', () => {
	const storageOf = (values: Record<string, string>) => ({
		getItem: (key: string) => values[key] ?? null,
		setItem: (key: string, value: string) => void (values[key] = value),
		removeItem: (key: string) => void delete values[key]
	});

	test('is separate for each key', () => {
		const storage = storageOf({});
		new TabState(storage, 'a').set({ activeUserId: 'x' });
		expect(new TabState(storage, 'a').value.activeUserId).toBe('x');
		expect(new TabState(storage, 'b').value.activeUserId).toBeNull();
	});

	test.each([
		'damaged',
		'[]',
		'7',
		'{"activeUserId":7,"pollEntries":[{}],"signInOptions":{"pkce":1},"rateLimits":"x"}'
	])('ignores damaged parts: %s', (stored) => {
		const { value } = new TabState(storageOf({ a: stored }), 'a');
		expect(value).toMatchObject({ activeUserId: null, pollEntries: [], signInOptions: null, rateLimits: [] });
	});

	test('works without storage', () => {
		const reject = () => {
			throw new DOMException('rejected', 'SecurityError');
		};
		const tab = new TabState({ getItem: reject, setItem: reject, removeItem: reject }, 'a');
		tab.set({ activeUserId: 'x' });
		tab.writeEvents([]);
		expect([tab.value.activeUserId, tab.readEvents()]).toEqual(['x', []]);
	});

	test('keeps the last 200 events, and at most 100,000 characters of them', () => {
		const log = new EventLog(() => 0);
		for (let number = 0; number < 300; number += 1) log.emit({ kind: 'event', message: String(number) });
		const tab = new TabState(storageOf({}), 'a');
		tab.writeEvents(log.events);
		expect(tab.readEvents()).toEqual(log.events.slice(-200));
		for (let number = 0; number < 8; number += 1) log.emit({ kind: 'event', message: 'x'.repeat(20_000) });
		tab.writeEvents(log.events);
		expect(tab.readEvents()).toHaveLength(4);
	});
});
