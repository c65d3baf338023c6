import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pocketCompanion } from '#client/demo-clients.ts';
import { outOfBandUri } from '#client/oauth/client-registration.ts';
import { MemoryStorage } from '#client/storage/shared-storage.ts';
import { OobSignIn } from '#features/viewer/oob-sign-in.svelte.ts';
import { loadViewer } from '#features/viewer/open-page.ts';
import { Viewer } from '#features/viewer/viewer.svelte.ts';
import { characterViewer } from '#client/demo-clients.ts';
import { offline, TestBrowser } from '../../client/test-browser.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

async function open(options: Parameters<TestBrowser['signIn']>[1] = offline) {
	const browser = new TestBrowser();
	const { service } = browser;
	const client = await browser.open();
	const user = await browser.signIn(client, options);
	const viewer = new Viewer(client);
	await viewer.users.load();
	const stop = viewer.start();
	await expect.poll(() => viewer.rateLimits.isFetching).toBe(false);
	const pass = (milliseconds: number) => {
		service.time += milliseconds;
		vi.advanceTimersByTime(1000);
	};
	return { browser, service, client, user, viewer, stop, pass };
}

describe('the viewer', () => {
	test('looks up a character for the active user and ignores an empty name', async () => {
		const { service, viewer, user } = await open();
		const sent = service.requests.length;
		await viewer.lookUp('  ');
		expect(service.requests).toHaveLength(sent);
		await viewer.lookUp(' Mara Vell ');
		expect(viewer.lookup.stateFor(user.id)).toMatchObject({
			kind: 'found',
			result: { character: { name: 'Mara Vell' } }
		});
	});

	test('refreshes the access token of the active user before it expires', async () => {
		const { service, client, user, pass } = await open();
		pass(3_920_000 - 120_000);
		pass(90_000);
		await expect.poll(() => service.count('/token/')).toBe(2);
		await expect.poll(async () => (await client.users.get(user.id))?.refreshCount).toBe(1);
	});

	test('notices when online access ends', async () => {
		const { viewer, pass } = await open({ scope: ['character_read'] });
		pass(3_921_000);
		await expect.poll(() => viewer.users.active?.ended).toBe('session_expired');
	});

	test('shows how long the next request is delayed and what it waits for', async () => {
		const { service, viewer } = await open();
		expect(viewer.nextRequestDelay).toBe(0);
		await service.control('PATCH', '/control/settings', { limits: { character: 2 } });
		await viewer.lookUp('Mara Vell', true);
		await viewer.lookUp('Half/Life', true);
		await viewer.lookUp('100% Orc', true);
		expect(viewer.nextRequestDelay).toBe('reset');
	});

	test('throttles unless that is turned off', async () => {
		const { service, client, viewer } = await open();
		await service.control('PATCH', '/control/settings', { limits: { character: 3 } });
		await viewer.lookUp('Mara Vell', true);
		await viewer.lookUp('Mara Vell', true);
		expect(viewer.nextRequestDelay).toBeGreaterThan(10_000);
		void client.settings.update({ throttle: false });
		expect(viewer.nextRequestDelay).toBe(0);
	});

	test('signs the user out of the service and continues with the refresh token', async () => {
		const { service, viewer, user } = await open();
		const actions: (string | null)[] = [];
		service.intercept = ({ url, form }) => {
			if (!url.pathname.endsWith('/account')) return undefined;
			actions.push(form.get('action'));
			return Response.json({ signed_in: true, form: { fields: { csrf_token: 'x' } } });
		};
		await viewer.simulateUserAway(user, 'Mara Vell');
		expect(actions).toEqual([null, 'sign-out']);
		expect(viewer.polling.away).toEqual({ userId: user.id, requestCount: 1 });
		expect(service.count('/token/')).toBe(2);
	});

	test('reports that the user could not be signed out of the service', async () => {
		const { service, viewer, user } = await open();
		service.intercept = () => new Response('', { status: 503 });
		await viewer.simulateUserAway(user, 'Mara Vell');
		expect(viewer.signOutError?.code).toBe('unexpected_response');
		expect(viewer.polling.away).toBeNull();
	});

	test('notices when it becomes visible that access was revoked', async () => {
		const { service, client, user, viewer } = await open();
		await service.revoke(user.refresh_token ?? '');
		await viewer.checkAccess();
		expect((await client.users.get(user.id))?.ended).toBe('access_revoked');
		const sent = service.requests.length;
		await viewer.users.load();
		await viewer.checkAccess();
		expect(service.requests).toHaveLength(sent);
	});

	test('repeats the lookup after the user has granted the permission that it needs', async () => {
		const { browser, service, client, user, viewer } = await open();
		await viewer.lookUp('Mara Vell');
		viewer.signIn.openForScope('location_read', user);
		await viewer.signIn.prepare();
		const url = await viewer.signIn.start();
		const id = await client.handleCallback(await service.approve(url ?? new URL('about:blank')));
		const returned = new Viewer(await browser.open());
		await returned.finishSignIn(id);
		await expect
			.poll(() => returned.lookup.stateFor(user.id))
			.toMatchObject({
				kind: 'found',
				result: { character: { fields: expect.arrayContaining([expect.objectContaining({ value: 'Lantern Quay' })]) } }
			});
		expect(returned.users.list).toHaveLength(1);
	});

	test('does nothing after it was stopped', async () => {
		const { service, stop, pass } = await open();
		stop();
		pass(3_900_000);
		expect(service.count('/token/')).toBe(1);
	});
});

describe('storage that fails', () => {
	const broken = (method: 'get' | 'update') => {
		const storage = new MemoryStorage();
		vi.spyOn(storage, method).mockRejectedValue(new Error('disk failure'));
		return storage;
	};

	test('falls back to memory if nothing can be read', async () => {
		const browser = new TestBrowser();
		const environment = browser.environment('tab-1', { storage: broken('get') });
		const viewer = await loadViewer(
			browser.service.baseUrl,
			await browser.service.world(),
			environment,
			characterViewer(browser.service.baseUrl)
		);
		expect(viewer.client.environment.isPersistent).toBe(false);
		await browser.signIn(viewer.client);
		await viewer.users.load();
		expect(viewer.users.list).toHaveLength(1);
	});

	test('keeps working if writing fails later, without unhandled rejections', async () => {
		const { browser, client, user, viewer, pass } = await open();
		viewer.polling.toggle(user.id, 'Mara Vell');
		const rejections: unknown[] = [];
		const listener = (reason: unknown) => rejections.push(reason);
		process.on('unhandledRejection', listener);
		vi.spyOn(browser.storage, 'get').mockRejectedValue(new Error('disk failure'));
		vi.spyOn(browser.storage, 'update').mockRejectedValue(new Error('disk failure'));
		pass(20_000);
		viewer.users.select(user.id);
		void client.settings.update({ throttle: false });
		client.clock.update(new Date(0).toUTCString());
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', listener);
		expect(rejections).toEqual([]);
		expect(client.settings.value.throttle).toBe(false);
	});
});

test('the companion page selects the user who has signed in and closes its form', async () => {
	const browser = new TestBrowser();
	const client = await browser.open('tab-1', {}, pocketCompanion(outOfBandUri));
	const viewer = new Viewer(client, 'offline');
	const oobSignIn = new OobSignIn(viewer, { openPopup: () => undefined, poll: () => () => undefined });
	await viewer.signIn.prepare();
	viewer.signIn.open();
	await oobSignIn.startManual();
	const code = await browser.service.approveOutOfBand(new URL(oobSignIn.url));
	await oobSignIn.submitCode(code);
	await viewer.users.load();
	expect(viewer.users.active).toMatchObject({ client_id: 'pocket-companion', access_type: 'offline' });
	expect(viewer.signIn.purpose).toBeUndefined();
});
