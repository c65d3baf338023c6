import { describe, expect, test } from 'vitest';
import { CharacterLookup } from '#features/viewer/character-lookup.svelte.ts';
import { Polling } from '#features/viewer/polling.svelte.ts';
import { SignedInUsers } from '#features/viewer/users.svelte.ts';
import { offline, TestBrowser } from '../../client/test-browser.ts';

async function open() {
	const browser = new TestBrowser();
	const { service } = browser;
	const client = await browser.open();
	const user = await browser.signIn(client);
	const lookup = new CharacterLookup(client);
	const users = new SignedInUsers(client, () => undefined);
	const polling = new Polling(client, lookup, users);
	await users.load();
	const pass = async (milliseconds: number) => {
		service.time += milliseconds;
		await users.load();
		await polling.tick();
	};
	const calls = () => service.requests.filter(({ url }) => url.pathname.includes('/character/')).length;
	return { browser, service, client, user, lookup, users, polling, pass, calls };
}

describe('polling', () => {
	test('requests a character every 15 seconds until its user has been idle for 2 minutes', async () => {
		const { user, polling, pass, calls } = await open();
		polling.toggle(user.id, 'Mara Vell');
		await pass(14_999);
		expect(calls()).toBe(0);
		for (let second = 0; second < 130; second += 1) await pass(1000);
		expect(calls()).toBe(7);
		expect(polling.rows).toMatchObject([{ isActive: false, lastResult: 'ok' }]);
		polling.markActive(user.id);
		await pass(1000);
		expect(calls()).toBe(8);
	});

	test('goes on for idle users if that is turned on', async () => {
		const { client, user, polling, pass, calls } = await open();
		await client.settings.update({ pollInactive: true });
		polling.toggle(user.id, 'Mara Vell');
		await pass(600_000);
		expect(calls()).toBe(1);
	});

	test('requests one character at a time, the one that has waited longest first', async () => {
		const { service, user, polling, pass } = await open();
		polling.toggle(user.id, 'Mara Vell');
		service.time += 1000;
		polling.toggle(user.id, 'Half/Life');
		await pass(20_000);
		expect(service.requests.at(-1)?.url.pathname).toContain('Mara');
		await pass(0);
		expect(service.requests.at(-1)?.url.pathname).toContain('Half');
	});

	test('updates the character that its user is looking at', async () => {
		const { service, user, lookup, polling, pass } = await open();
		await lookup.lookUp(user, 'Mara Vell');
		polling.toggle(user.id, 'Mara Vell');
		service.intercept = () => Response.json({ name: 'Mara Vell', level: 99 });
		await pass(15_000);
		expect(lookup.stateFor(user.id)).toMatchObject({
			at: service.time,
			result: { character: { fields: [{ value: '99' }] } }
		});
		lookup.applyPolled('another', {
			character: { name: 'x', fields: [], opened: [], missingPermissions: [], isOtherUsers: false },
			response: { status: 200, format: 'json', text: '', requestId: undefined },
			scope: []
		});
		expect(lookup.stateFor(user.id)).toMatchObject({ result: { character: { name: 'Mara Vell' } } });
	});

	test('pauses while the session has ended, and after the user is removed', async () => {
		const { client, user, polling, pass, calls } = await open();
		polling.toggle(user.id, 'Mara Vell');
		await client.tokens.end(user.id, 'access_revoked');
		await pass(20_000);
		expect(polling.rows).toMatchObject([{ isSignedOut: true }]);
		expect(calls()).toBe(0);
		await client.tokens.delete(user.id);
		await pass(1000);
		expect(polling.rows).toEqual([]);
	});

	test('shows why a request failed, and continues', async () => {
		const { user, polling, pass } = await open();
		polling.toggle(user.id, 'No such character');
		await pass(15_000);
		expect(polling.rows).toMatchObject([{ lastResult: 'not_found' }]);
	});

	test('continues after the clock was set back', async () => {
		const { user, polling, pass, calls } = await open();
		polling.toggle(user.id, 'Mara Vell');
		await pass(-20_000);
		expect(calls()).toBe(1);
	});

	test('keeps its list over a reload of the tab', async () => {
		const { browser, user, users, polling, pass } = await open();
		polling.toggle(user.id, 'Mara Vell');
		await pass(15_000);
		const client = await browser.open();
		const reloaded = new Polling(client, new CharacterLookup(client), users);
		expect(reloaded.rows).toEqual(polling.rows);
		reloaded.toggle(user.id, 'Mara Vell');
		expect(reloaded.rows).toEqual([]);
	});
});

describe('a user who is away', () => {
	test('is represented by the refresh token, at once and every 15 seconds, however long', async () => {
		const { service, client, user, polling, pass, calls } = await open();
		await polling.startAway(user, 'Mara Vell');
		expect([polling.away, calls()]).toEqual([{ userId: user.id, requestCount: 1 }, 1]);
		await pass(600_000);
		await pass(15_000);
		expect([polling.away?.requestCount, service.count('/token/')]).toEqual([3, 4]);
		polling.markBack();
		expect(polling.away).toBeNull();
		expect((await client.users.get(user.id))?.refreshCount).toBe(3);
	});

	test('is back when active in the page, but not if another user is', async () => {
		const { browser, client, user, polling } = await open();
		const other = await browser.signIn(client, offline, 'player-two');
		await polling.startAway(user, 'Mara Vell');
		polling.markActive(other.id);
		expect(polling.away?.userId).toBe(user.id);
		polling.markActive(user.id);
		expect(polling.away).toBeNull();
	});

	test('whose access is revoked is no longer away, after one rejected refresh', async () => {
		const { service, user, polling, pass } = await open();
		await polling.startAway(user, 'Mara Vell');
		await service.revoke(user.refresh_token ?? '');
		await pass(15_000);
		const sent = service.requests.length;
		await pass(15_000);
		expect([polling.away, service.requests.length]).toEqual([null, sent]);
		expect(polling.rows).toMatchObject([{ lastResult: 'access_revoked', isSignedOut: true }]);
	});
});
