import { describe, expect, test, vi } from 'vitest';
import { characterViewer } from '#client/demo-clients.ts';
import { markEnded } from '#client/oauth/token-store.ts';
import { SignInForm } from '#features/viewer/sign-in-form.svelte.ts';
import { errorCode, TestBrowser } from '../../client/test-browser.ts';

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
		form.set({ access_type: 'offline', pkce: false });
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

	test('asks for an ID token, and calls the user by the name that it says', async () => {
		const { service, client, form } = await openForm();
		await service.control('PATCH', '/control/settings', { dialect: 'standard' });
		form.askForIdentity(true);
		form.toggleScope('location_read', true);
		expect(form.url?.searchParams.get('scope')).toBe('openid profile email character_read location_read');
		const url = (await form.start()) ?? new URL('about:blank');
		expect(url.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);
		const id = await client.handleCallback(await service.approve(url));
		const user = await client.users.get(id);
		expect(user?.claims?.name).toBeDefined();
		expect(user?.label).toBe(user?.claims?.name);
		form.askForIdentity(false);
		expect(form.options.scope).toEqual(['character_read', 'location_read']);
		expect(form.url?.searchParams.has('nonce')).toBe(false);
	});

	test('forgets what an ID token said when another user signs in again without one', async () => {
		const { browser, service, client } = await openForm();
		await service.control('PATCH', '/control/settings', { dialect: 'standard' });
		const { id, claims } = await browser.signIn(client, { scope: ['openid', 'profile', 'character_read'] });
		expect(claims?.sub).toBe('player-one');
		await client.users.update(id, (user) => user && markEnded(user, 'session_expired'));
		const again = await browser.signIn(client, { scope: ['character_read'], tokenSetId: id }, 'player-two');
		expect([again.id, again.claims]).toEqual([id, undefined]);
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
		await form.leave((url) => opened.push(url), '/viewer');
		expect(opened).toHaveLength(1);
		expect(form.isLeaving).toBe(false);
		expect(form.url?.href).not.toBe(opened[0]);
	});

	test('does not leave if the state cannot be stored', async () => {
		const { browser, form } = await openForm();
		vi.spyOn(browser.storage, 'update').mockRejectedValueOnce(new Error('disk full'));
		const navigate = vi.fn();
		await form.leave(navigate, '/viewer');
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
		const optionsIn = async (tab: string) => new SignInForm(await browser.open(tab), 'online').options;
		form.set({ access_type: 'offline', renew_previously_granted: true });
		expect(await optionsIn('tab-1')).toMatchObject({ access_type: 'offline', renew_previously_granted: true });
		expect(await optionsIn('tab-2')).toEqual(defaults);
		form.close();
		expect(form.options).toEqual(defaults);
		expect(await optionsIn('tab-1')).toEqual(defaults);
	});

	test('replaces the ended session of a user with the same options as before', async () => {
		const { browser, service, client, form } = await openForm();
		const user = await browser.signIn(client, { scope: ['character_read', 'credits_read'] });
		await client.tokens.end(user.id, 'session_expired');
		form.openFor(user);
		expect(form).toMatchObject({ purpose: { kind: 'again', user }, options: { scope: user.scope } });
		const url = await form.start();
		await client.handleCallback(await service.approve(url ?? new URL('about:blank')));
		expect(await client.users.list()).toMatchObject([{ id: user.id, label: user.label, ended: null }]);
	});

	test('requests one more scope from a user, in the order of the list', async () => {
		const { browser, client, form } = await openForm();
		const user = await browser.signIn(client, { scope: ['credits_read', 'character_read'] });
		form.openForScope('location_read', user);
		expect(form.options.scope).toEqual(['character_read', 'location_read', 'credits_read']);
		expect(form.purpose).toEqual({ kind: 'more', user });
		form.forget(user.id);
		expect(form.purpose).toEqual({ kind: 'add' });
	});

	test('requests one more scope without showing the form, unless that fails', async () => {
		const { browser, client, form } = await openForm();
		const user = await browser.signIn(client);
		form.requestScope('location_read', user);
		const started = form.start();
		expect(form.isOpen).toBe(false);
		expect((await started)?.searchParams.get('scope')).toBe('character_read location_read');
		expect(form.isOpen).toBe(false);
		await form.prepare();
		expect(form.isOpen).toBe(true);
	});

	test('gives the new permission to the user who was asked, who keeps the refresh token', async () => {
		const { browser, service, client, form } = await openForm();
		const user = await browser.signIn(client);
		form.openForScope('location_read', user);
		const url = await form.start();
		expect(await client.handleCallback(await service.approve(url ?? new URL('about:blank')))).toBe(user.id);
		const [now, ...others] = await client.users.list();
		expect([others, now?.scope, now?.refresh_token, now?.label]).toEqual([
			[],
			['character_read', 'location_read'],
			user.refresh_token,
			user.label
		]);
		expect(now?.access_token).not.toBe(user.access_token);
	});

	test('ends the session at the service before another user is added, and only then', async () => {
		const { service, client, form } = await openForm();
		const actions: (string | null)[] = [];
		service.intercept = ({ url, method, form: fields }) => {
			if (!url.pathname.endsWith('/account')) return undefined;
			if (method === 'POST') actions.push(fields.get('action'));
			return Response.json({ signed_in: true, form: { fields: { csrf_token: 'x' } } });
		};
		await form.start();
		expect(actions).toEqual([]);
		await form.prepare();
		form.open();
		expect(await form.start()).toBeInstanceOf(URL);
		expect(actions).toEqual(['sign-out']);
		service.intercept = ({ url }) =>
			url.pathname.endsWith('/account') ? new Response('', { status: 503 }) : undefined;
		await form.prepare();
		expect(await form.start()).toBeUndefined();
		expect(form.error?.code).toBe('unexpected_response');
		expect(client.log.events.map(({ message }) => message)).toContain(
			'Signed out of Tollgate, so that another account can be chosen'
		);
	});

	test('does not leave a blacklisted user at a page that gets no response', async () => {
		const { service, form } = await openForm();
		service.intercept = () => Response.json({ state: 'blacklisted', reason: '100 requests over the limit' });
		expect(await form.start()).toBeUndefined();
		expect([form.error?.code, form.isLeaving]).toEqual(['no_response', false]);
		service.intercept = undefined;
		expect(await form.start()).toBeInstanceOf(URL);
	});
});

describe('the callback page', () => {
	test('knows the state that this tab waits for', async () => {
		const { browser, service, client } = await openForm();
		expect(await client.expectedState()).toBeUndefined();
		await browser.start(client);
		const url = await browser.start(client);
		await browser.start(await browser.open('tab-2'));
		expect(await client.expectedState()).toBe(url.searchParams.get('state'));
		await client.handleCallback(await service.approve(url));
		expect(await client.expectedState()).not.toBe(url.searchParams.get('state'));
	});

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
		const params = await service.approve(await browser.start(client));
		service.intercept = () => new Response('', { status: 503, headers: { 'x-request-id': 'request-1' } });
		await errorCode(client.handleCallback(params));
		const failure = { code: 'server_error', status: 503, requestId: 'request-1' };
		const again = await browser.open();
		expect(() => again.lastCallbackResult()).toThrow(expect.objectContaining(failure));
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
	const credentials = { client_id: 'mine', client_secret: 'other' };
	await client.settings.update({ credentials });
	expect((await browser.open('tab-2')).registration).toMatchObject(credentials);
	await client.settings.update({ credentials: null });
	expect(client.registration).toEqual(characterViewer(service.baseUrl));
});
