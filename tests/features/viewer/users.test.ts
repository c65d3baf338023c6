import { describe, expect, test, vi } from 'vitest';
import type { SignedOutElsewhere } from '#features/viewer/users.svelte.ts';
import { SignedInUsers } from '#features/viewer/users.svelte.ts';
import { offline, TestBrowser } from '../../client/test-browser.ts';
import { down } from '../../client/test-service.ts';

const online = { scope: ['character_read'] };
async function open(options: Parameters<TestBrowser['signIn']>[1] = offline) {
	const browser = new TestBrowser();
	const client = await browser.open();
	const user = await browser.signIn(client, options);
	const removed: string[] = [];
	const users = new SignedInUsers(client, (id) => removed.push(id));
	await users.load();
	return { browser, service: browser.service, client, user, users, removed };
}

describe('the active user', () => {
	test('is the last one who signed in, until another one is selected, also after a reload', async () => {
		const { browser, client, user, users } = await open();
		const second = await browser.signIn(client, offline, 'player-two');
		expect(new Set([user.label, second.label])).toEqual(new Set(['User 1', 'User 2']));
		const fresh = new SignedInUsers(client, () => undefined);
		await fresh.load();
		expect(fresh.active?.id).toBe(second.id);
		users.select(user.id);
		const reloaded = new SignedInUsers(await browser.open(), () => undefined);
		await reloaded.load();
		expect(reloaded.active?.id).toBe(user.id);
		const other = new SignedInUsers(await browser.open('tab-2'), () => undefined);
		await other.load();
		expect(other.active?.id).toBe(second.id);
	});

	test('becomes one whose session has not ended if the active one is removed', async () => {
		const { browser, client, user, users } = await open(online);
		const second = await browser.signIn(client, offline, 'player-two');
		const third = await browser.signIn(client, offline, 'player-three');
		await client.tokens.end(user.id, 'session_expired');
		await users.load();
		users.select(third.id);
		await users.remove(third);
		await users.load();
		expect(users.active?.id).toBe(second.id);
	});

	test('has a label that the user can change; it is trimmed and cut, and never empty', async () => {
		const { client, user, users } = await open();
		await users.rename(user.id, `  ${'Zoë '.repeat(20)}`);
		expect((await client.users.get(user.id))?.label).toHaveLength(40);
		await users.rename(user.id, '  ');
		expect((await client.users.get(user.id))?.label).toMatch(/^Zoë /);
	});

	test('gets the lowest free number as label', async () => {
		const { browser, client, user } = await open();
		await browser.signIn(client, offline, 'player-two');
		await client.tokens.delete(user.id);
		expect((await browser.signIn(client, online, 'player-three')).label).toBe('User 1');
	});
});

describe('signing out', () => {
	test('revokes access and removes the user in all tabs', async () => {
		const { browser, service, user, users, removed } = await open();
		const elsewhere: SignedOutElsewhere[] = [];
		const other = new SignedInUsers(await browser.open('tab-2'), () => undefined);
		const stop = other.start();
		await other.load();
		other.onSignedOutElsewhere((event) => elsewhere.push(event));
		await users.signOut(user);
		await users.load();
		expect(users.status).toMatchObject({ tone: 'ok', title: 'User 1: signed out', user: { id: user.id } });
		expect([users.list, removed]).toEqual([[], [user.id]]);
		await expect.poll(() => elsewhere).toMatchObject([{ user: { id: user.id }, wasActive: true }]);
		expect(service.count('/revoke')).toBe(1);
		stop();
	});

	test('is not reported as one of another tab, and happens once if pressed twice', async () => {
		const { service, user, users } = await open();
		const listener = vi.fn();
		users.onSignedOutElsewhere(listener);
		const both = [users.signOut(user), users.signOut(user)];
		expect(users.isBusy(user.id)).toBe(true);
		await Promise.all(both);
		await users.load();
		expect(users.isBusy(user.id)).toBe(false);
		expect(service.count('/revoke')).toBe(1);
		expect(listener).not.toHaveBeenCalled();
	});

	test('without a refresh token warns that the access token stays valid', async () => {
		const { user, users } = await open(online);
		await users.signOut(user);
		expect(users.status).toMatchObject({ tone: 'caution', title: 'User 1: signed out here only' });
	});

	test('keeps the tokens if the service does not respond. Then they can be removed here', async () => {
		const { service, client, user, users } = await open();
		service.intercept = down;
		await users.signOut(user);
		expect(users.status).toMatchObject({ tone: 'error', title: 'User 1: No response' });
		expect(users.failedSignOutId).toBe(user.id);
		expect(await client.users.list()).toHaveLength(1);
		await users.remove(user);
		await users.load();
		expect(users.status?.title).toBe('User 1: removed from this browser');
		expect([users.list, users.failedSignOutId]).toEqual([[], undefined]);
	});

	test('that fails in storage is reported and can be repeated', async () => {
		const { browser, user, users } = await open(online);
		vi.spyOn(browser.storage, 'update').mockRejectedValueOnce(new Error('disk full'));
		await users.signOut(user);
		expect(users.status).toMatchObject({ tone: 'error', title: 'User 1: Error in this page' });
		await users.signOut(user);
		await users.load();
		expect(users.list).toEqual([]);
	});

	test('in another tab clears a failed sign-out', async () => {
		const { browser, service, client, user, users } = await open();
		service.intercept = down;
		await users.signOut(user);
		service.intercept = undefined;
		await (await browser.open('tab-2')).signOut(user.id);
		await users.load();
		expect(users.failedSignOutId).toBeUndefined();
		expect(await client.users.list()).toEqual([]);
	});
});

describe('refreshing', () => {
	test('gets a new access token', async () => {
		const { client, user, users } = await open();
		await users.refresh(user);
		expect(await client.users.get(user.id)).toMatchObject({ refreshCount: 1, label: user.label });
	});

	test('that fails shows why', async () => {
		const { service, user, users } = await open();
		service.intercept = down;
		await users.refresh(user);
		expect(users.status).toMatchObject({ tone: 'error', title: 'User 1: Token refresh failed' });
		expect(users.isBusy(user.id)).toBe(false);
	});
});

test('an error of an earlier refresh disappears when the user gets another token, or none', async () => {
	const { service, client, user, users } = await open();
	service.intercept = down;
	await users.refresh(user);
	service.intercept = undefined;
	service.time += 60_000;
	await client.tokens.refresh(user.id, user.access_token);
	await users.load();
	expect(users.status).toBeUndefined();
});

test('users of other services are not affected', async () => {
	const { browser, client, user } = await open();
	const { UserStore } = await import('#client/storage/user-store.ts');
	const other = new UserStore(browser.storage, 'https://other.test');
	expect(await other.list()).toEqual([]);
	expect(await client.users.list()).toEqual([user]);
});
