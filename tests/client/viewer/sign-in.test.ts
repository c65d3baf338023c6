import { describe, expect, test, vi } from 'vitest';
import { characterViewer } from '#client/demo-clients.ts';
import { SignInForm } from '#client/viewer/sign-in-form.svelte.ts';
import { errorCode, TestBrowser } from '../test-browser.ts';

const defaults = { scope: ['character_read'], access_type: 'online', renew_previously_granted: false, pkce: true };

async function openForm() {
	const browser = new TestBrowser();
	const client = await browser.open();
	const form = new SignInForm(client, 'online');
	await form.prepare();
	return { browser, service: browser.service, client, form };
}

describe('the sign-in form', () => {
	test('shows the URL that it opens', async () => {
		const { service, client, form } = await openForm();
		form.toggleScope('location_read', true);
		form.toggleScope('location_read', true);
		form.access_type = 'offline';
		form.pkce = false;
		const shown = form.url;
		expect(shown?.searchParams.get('scope')).toBe('character_read location_read');
		expect(shown?.searchParams.has('code_challenge')).toBe(false);
		const url = await form.start();
		expect(url?.href).toBe(shown?.href);
		const id = await client.handleCallback(await service.approve(url ?? new URL('about:blank')));
		expect(await client.users.get(id)).toMatchObject({
			scope: ['character_read', 'location_read'],
			access_type: 'offline'
		});
	});

	test('starts one sign-in if submitted twice', async () => {
		const { form } = await openForm();
		const urls = await Promise.all([form.start(), form.start()]);
		expect(urls.filter((url) => url !== undefined)).toHaveLength(1);
	});

	test('creates a new state for the next sign-in', async () => {
		const { form } = await openForm();
		const first = await form.start();
		await form.prepare();
		expect(form.isLeaving).toBe(false);
		expect((await form.start())?.href).not.toBe(first?.href);
	});

	test('becomes usable again if the navigation was canceled', async () => {
		const { form } = await openForm();
		const opened: string[] = [];
		await form.leave((url) => opened.push(url));
		expect(opened).toHaveLength(1);
		expect(form.isLeaving).toBe(false);
		expect(form.url?.href).not.toBe(opened[0]);
	});

	test('does not leave if the state cannot be stored', async () => {
		const { browser, form } = await openForm();
		vi.spyOn(browser.storage, 'update').mockRejectedValueOnce(new Error('disk full'));
		const navigate = vi.fn();
		await form.leave(navigate);
		expect(navigate).not.toHaveBeenCalled();
		expect(form.error).toMatchObject({ code: 'client_error', message: 'disk full' });
		expect(form.isLeaving).toBe(false);
	});

	test('reports a page without HTTPS', async () => {
		const { client } = await openForm();
		vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes });
		const form = new SignInForm(client, 'online');
		await form.prepare();
		vi.unstubAllGlobals();
		expect([form.canUsePkce, form.error?.code, form.url]).toEqual([false, 'insecure_context', undefined]);
	});

	test('keeps its options over a reload of the tab, until a user has signed in', async () => {
		const { browser, form } = await openForm();
		form.access_type = 'offline';
		form.renew_previously_granted = true;
		expect(new SignInForm(await browser.open(), 'online')).toMatchObject({
			access_type: 'offline',
			renew_previously_granted: true
		});
		expect(new SignInForm(await browser.open('tab-2'), 'online')).toMatchObject(defaults);
		form.reset();
		expect(form).toMatchObject(defaults);
		expect(new SignInForm(await browser.open(), 'online')).toMatchObject(defaults);
	});

	test('replaces the ended session of a user with the same options as before', async () => {
		const { browser, service, client, form } = await openForm();
		const user = await browser.signIn(client, { scope: ['character_read', 'credits_read'] });
		await client.tokens.end(user.id, 'session_expired');
		form.openFor(user);
		expect(form).toMatchObject({ isOpen: true, openCount: 1, scope: user.scope, returningUser: user });
		const url = await form.start();
		await client.handleCallback(await service.approve(url ?? new URL('about:blank')));
		expect(await client.users.list()).toMatchObject([{ id: user.id, label: user.label, ended: null }]);
	});

	test('adds a user if it was opened for another one', async () => {
		const { browser, client, form } = await openForm();
		const user = await browser.signIn(client);
		form.openFor(user);
		form.open();
		expect([form.returningUser, form.requestedFrom, form.openCount]).toEqual([undefined, undefined, 2]);
	});

	test('requests one more scope from a user, in the order of the list', async () => {
		const { browser, client, form } = await openForm();
		const user = await browser.signIn(client, { scope: ['credits_read', 'character_read'] });
		form.openForScope('location_read', user);
		expect(form.scope).toEqual(['character_read', 'location_read', 'credits_read']);
		expect(form.requestedFrom).toEqual(user);
		form.forget(user.id);
		expect(form.requestedFrom).toBeUndefined();
	});
});

describe('the callback page', () => {
	test('shows how the last sign-in of its tab ended, without sending anything', async () => {
		const { browser, service, client } = await openForm();
		expect(client.lastCallbackResult()).toBeUndefined();
		const user = await browser.signIn(client);
		const sent = service.requests.length;
		expect((await browser.open()).lastCallbackResult()).toBe(user.id);
		expect((await browser.open('tab-2')).lastCallbackResult()).toBeUndefined();
		const state = (await browser.start(client)).searchParams.get('state') ?? '';
		await errorCode(client.handleCallback(new URLSearchParams({ state, error: 'access_denied' })));
		const reloaded = await browser.open();
		expect(() => reloaded.lastCallbackResult()).toThrow(expect.objectContaining({ code: 'access_denied' }));
		expect(service.requests).toHaveLength(sent);
	});

	test('reports that it was left during the exchange', async () => {
		const { browser, service, client } = await openForm();
		const url = await browser.start(client);
		const params = await service.approve(url);
		service.intercept = () => new Promise(() => undefined);
		void client.handleCallback(params);
		await expect.poll(() => service.count('/token/')).toBe(1);
		const reloaded = await browser.open();
		expect(() => reloaded.lastCallbackResult()).toThrow(expect.objectContaining({ code: 'exchange_interrupted' }));
	});
});

test('the client credentials can be changed for one service, in all tabs, and restored', async () => {
	const { browser, service, client } = await openForm();
	await client.setCredentials({ client_id: 'mine', client_secret: 'other' });
	expect(await (await browser.open('tab-2')).registration()).toMatchObject({
		client_id: 'mine',
		client_secret: 'other'
	});
	await client.setCredentials(null);
	expect(await client.registration()).toEqual(characterViewer(service.baseUrl));
});
