import { afterEach, expect, test, vi } from 'vitest';
import { cleared, worldReplaced } from '#hosts/browser/worker-messages.ts';
import { openTab, start } from './browser-tab.ts';

afterEach(() => vi.useRealTimers());

test('a first visit reloads once its worker is active', async () => {
	const tab = openTab();
	tab.registration.install();
	const { status } = await start();
	await vi.waitFor(() => expect(status().worker).toBe('starting'));
	expect(tab.reloads).toBe(0);
	tab.registration.activate();
	await vi.waitFor(() => expect(tab.reloads).toBe(1));
});

test('says so if the browser cannot install the worker, and waits for no other one', async () => {
	const tab = openTab();
	tab.registration.install();
	const { registered, status } = await start();
	await Promise.resolve();
	tab.registration.fail();
	await registered;
	expect(status()).toMatchObject({
		worker: 'unavailable',
		problem: expect.stringContaining('could not be downloaded')
	});
	expect(tab.reloads).toBe(0);
});

test('says so if the installation has already failed', async () => {
	openTab();
	const { registered, status } = await start();
	await registered;
	expect(status().worker).toBe('unavailable');
});

test.each([
	[new TypeError('An unknown error occurred when fetching the script.'), 'Check the network and the free disk space'],
	[new DOMException('The user denied permission.', 'SecurityError'), 'The user denied permission.']
])('says so if the worker cannot be registered: %s', async (reason, said) => {
	openTab({ register: () => Promise.reject(reason) });
	const { registered, status } = await start();
	await registered;
	expect(status()).toMatchObject({ worker: 'unavailable', problem: expect.stringContaining(said) });
});

test('reloads whenever the worker was deleted, because a page without one sends nothing', async () => {
	const tab = openTab({ isControlled: true });
	await (
		await start()
	).registered;
	tab.container.controller = null;
	for (let time = 0; time < 2; time++) tab.container.dispatchEvent(new Event('controllerchange'));
	expect(tab.reloads).toBe(2);
});

test('says for a minute that the site got another world, and not after data was only cleared', async () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	const tab = openTab({ isControlled: true });
	await (
		await start()
	).registered;
	const send = (data: string) => void tab.container.dispatchEvent(new MessageEvent('message', { data }));
	const afterReload = async () => {
		openTab({ isControlled: true, stored: tab.stored });
		const { registered, status } = await start();
		await registered;
		return status().hasNewWorld;
	};
	send(cleared);
	expect(tab.reloads).toBe(1);
	expect(await afterReload()).toBe(false);
	for (const message of [worldReplaced, cleared]) send(message);
	expect([await afterReload(), await afterReload()]).toEqual([true, true]);
	vi.setSystemTime(Date.now() + 61_000);
	expect(await afterReload()).toBe(false);
});
