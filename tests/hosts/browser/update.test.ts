import { afterEach, expect, test, vi } from 'vitest';
import { afterMessages, openTab, start, version } from './browser-tab.ts';

afterEach(() => vi.useRealTimers());

test('a server that changes between versions reloads a tab once, then the tab offers the update', async () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	const tab = openTab({ isControlled: true });
	const { registered, status } = await start();
	await registered;
	tab.replace('other');
	await vi.waitFor(() => expect(tab.reloads).toBe(1));
	expect(status().hasUpdate).toBe(false);
	tab.replace('another');
	await vi.waitFor(() => expect(status().hasUpdate).toBe(true));
	expect(tab.reloads).toBe(1);
	vi.setSystemTime(Date.now() + 120_000);
	tab.replace('a later one');
	await vi.waitFor(() => expect(tab.reloads).toBe(2));
});

test.each([
	['waits for the user if all files of the active one are kept', true, []],
	['takes over if not all files of the active one are kept', false, ['leave', 'activate']]
])('a new version %s', async (_, isComplete, sent) => {
	const tab = openTab({ isControlled: true });
	tab.isComplete = isComplete;
	tab.registration.wait();
	const { registered, status } = await start();
	await registered;
	expect(status()).toMatchObject({ hasUpdate: true, isUpdating: false });
	await afterMessages();
	expect(tab.registration.sent).toEqual(sent);
	tab.registration.activate();
	expect(status().hasUpdate).toBe(false);
});

test('a new version that is installed while a page is open is shown, until it takes over in another tab', async () => {
	const tab = openTab({ isControlled: true });
	const { registered, status } = await start();
	await registered;
	tab.registration.install();
	expect(status().hasUpdate).toBe(false);
	tab.registration.wait();
	expect(status().hasUpdate).toBe(true);
	tab.registration.activate();
	expect(status().hasUpdate).toBe(false);
});

test('asks again and again until the new version takes over, also after a reload, then reloads all tabs', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout'] });
	const tab = openTab({ isControlled: true });
	tab.registration.wait();
	const { registered, updateAllTabs, status } = await start();
	await registered;
	updateAllTabs();
	expect(status().isUpdating).toBe(true);
	await vi.advanceTimersByTimeAsync(2_500);
	expect(tab.registration.sent).toEqual(['leave', 'activate', 'leave', 'activate', 'leave', 'activate']);
	expect(tab.frames).toEqual(Array.from({ length: 3 }, () => 'https://site.example/demo/_app/version.json'));
	expect(tab.reloads).toBe(0);
	await vi.advanceTimersByTimeAsync(2_500);
	expect({ reloads: tab.reloads, broadcasts: tab.broadcasts }).toEqual({ reloads: 1, broadcasts: ['reload'] });

	vi.clearAllTimers(); // a reload ends what the page does
	const reloaded = openTab({ isControlled: true, stored: tab.stored });
	reloaded.registration.wait();
	const again = await start();
	await again.registered;
	expect(again.status()).toMatchObject({ hasUpdate: true, isUpdating: true });
	await vi.advanceTimersByTimeAsync(1_000);
	expect(reloaded.frames).toHaveLength(2);
	reloaded.registration.activate();
	expect({ reloads: reloaded.reloads, broadcasts: reloaded.broadcasts }).toEqual({
		reloads: 1,
		broadcasts: ['reload']
	});
	await vi.advanceTimersByTimeAsync(5_000);
	expect(reloaded.frames).toHaveLength(2);

	vi.clearAllTimers();
	const updated = openTab({ isControlled: true, stored: tab.stored });
	const last = await start();
	await last.registered;
	expect(last.status()).toMatchObject({ hasUpdate: false, isUpdating: false });
	expect(updated.reloads).toBe(0);
});

test('opens no frame while the page is loading, because the page would not end before it', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout'] });
	const tab = openTab({ isControlled: true, stored: new Map([['tollgate-updating', '1']]) });
	tab.registration.wait();
	Object.assign(document, { readyState: 'interactive' });
	await (
		await start()
	).registered;
	await vi.advanceTimersByTimeAsync(2_500);
	expect(tab.registration.sent).toEqual(['leave', 'activate', 'leave', 'activate', 'leave', 'activate']);
	expect(tab.frames).toEqual([]);
	Object.assign(document, { readyState: 'complete' });
	await vi.advanceTimersByTimeAsync(1_000);
	expect(tab.frames).toHaveLength(1);
});

test('a page that has the version of the worker that took over stays', async () => {
	const tab = openTab({ isControlled: true });
	await (
		await start()
	).registered;
	const before = tab.asked;
	tab.replace(version);
	expect(tab.asked).toBeGreaterThan(before);
	await afterMessages();
	expect(tab.reloads).toBe(0);
});

test('a tab that is on its way to another page is not reloaded, unless it is still there later', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
	const tab = openTab({ isControlled: true });
	await (
		await start()
	).registered;
	tab.leave();
	tab.replace('other');
	await afterMessages();
	expect(tab.reloads).toBe(0);
	await vi.advanceTimersByTimeAsync(10_000);
	expect(tab.reloads).toBe(1);
});

test('an update opens the page whose link was followed while the app loads it', async () => {
	const tab = openTab({ isControlled: true });
	const { registered, headFor } = await start();
	await registered;
	headFor('https://site.example/demo/inspector');
	tab.replace('other');
	await vi.waitFor(() => expect(tab.opened).toEqual(['https://site.example/demo/inspector']));
	expect(tab.reloads).toBe(0);
});

test('a link that is followed while an update reloads the page wins', async () => {
	const tab = openTab({ isControlled: true });
	const { registered, headFor } = await start();
	await registered;
	headFor('https://site.example/demo/learn');
	headFor(undefined);
	tab.replace('other');
	await vi.waitFor(() => expect(tab.reloads).toBe(1));
	headFor('https://site.example/demo/inspector');
	expect(tab.opened).toEqual(['https://site.example/demo/inspector']);
});

test.each([
	['reloads, because a newer worker took over while it was loading', false, 1],
	['stays, because the newer worker is on its way', true, 0]
])('a page of another version than its worker %s', async (_, isUpdated, reloads) => {
	const tab = openTab({ isControlled: true });
	tab.version = 'other';
	tab.registration.update.mockImplementation(() => {
		if (isUpdated) tab.registration.install();
		return Promise.resolve();
	});
	await (
		await start()
	).registered;
	await vi.waitFor(() => expect(tab.registration.update).toHaveBeenCalled());
	await afterMessages();
	expect(tab.reloads).toBe(reloads);
});
