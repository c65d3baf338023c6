import { afterEach, expect, test, vi } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { endServiceSession } from '#features/viewer/end-service-session.ts';
import { PageHost } from '#hosts/page/page-host.ts';

const site = 'https://tollgate.test/demo';

/** A service in the page, a sandbox of it, and what went to the network. */
async function open() {
	const network = vi.fn(async () => new Response('from the network'));
	vi.stubGlobal('fetch', network);
	vi.stubGlobal('EventSource', undefined);
	const host = new PageHost(site);
	end = host.connect();
	const { base_url } = await new ControlApi(site).request('POST /control/sandboxes', { body: { world: 'demo' } });
	const query = new URLSearchParams({
		response_type: 'code',
		client_id: 'character-viewer',
		redirect_uri: `${base_url}/viewer/callback`,
		scope: 'character_read',
		state: 's'
	});
	return { host, network, base: base_url, authorization: `${base_url}/ws/oauth2/auth/?${query.toString()}` };
}

let end: () => void;
afterEach(() => end());

const fieldOf = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

test('the requests of the page for the service stay in the page, also with the cookies of its sandbox', async () => {
	const { network, base } = await open();
	const api = new ControlApi(base);
	expect((await api.request('GET /control/status')).can_control).toBe(true);
	expect(network).not.toHaveBeenCalled();
	for (const url of ['https://tollgate.test/ws/v2.0/ratelimits', `${site}/viewer`, 'https://other.example/ws/x'])
		expect(await (await fetch(url)).text(), url).toBe('from the network');
});

test('a visit follows the user from the sign-in to the application, and stops there', async () => {
	const { host, base, authorization } = await open();
	const signIn = await host.visit(authorization);
	expect(signIn).toMatchObject({ status: 200, isOfService: true });
	const form = (text: string, more: Record<string, string>) => ({
		action: `${base}/ws/oauth2/auth/`,
		fields: new URLSearchParams({
			interaction: fieldOf(text, 'interaction'),
			csrf_token: fieldOf(text, 'csrf_token'),
			...more
		})
	});
	const account = form(signIn.text, { username: 'player-one', password: 'demo' });
	const consent = await host.visit(signIn.url, account, signIn.url);
	expect(consent.text).toContain('data-guide="consent.allow"');
	const end = await host.visit(consent.url, form(consent.text, { decision: 'approve' }), consent.url);
	expect(end).toMatchObject({ status: 0, text: '', isOfService: false });
	expect(end.url).toMatch(/^https:\/\/tollgate\.test\/demo\/~[\w-]+\/viewer\/callback\?code=[\w-]+&state=s/);
	// A script signs the user out. It follows the redirect of the service, as in a browser.
	await endServiceSession(fetch, `${base}/account`);
	expect((await host.visit(authorization)).text).toContain('name="password"');
});

test('a signal ends a request', async () => {
	const { base } = await open();
	await expect(fetch(`${base}/ws/oauth2/token/`, { signal: AbortSignal.abort() })).rejects.toThrow('abort');
});

test('an event stream has the exchanges of the sandbox', async () => {
	const { base } = await open();
	const source = new EventSource(`${base}/control/traffic/stream`);
	const seen: unknown[] = [];
	source.addEventListener('message', ({ data }: MessageEvent<string>) => seen.push(JSON.parse(data)));
	await new Promise((resolve) => source.addEventListener('open', resolve, { once: true }));
	await fetch(`${base}/ws/v2.0/ratelimits`);
	await expect
		.poll(() => seen)
		.toMatchObject([{ request: { target: expect.stringContaining('/ws/v2.0/ratelimits') } }]);
	source.close();
	expect(source.readyState).toBe(2);
});

test('a stream that the service rejects ends', async () => {
	await open();
	const source = new EventSource(`${site}/~nosuchsandbox0/control/traffic/stream`);
	await new Promise((resolve) => source.addEventListener('error', resolve, { once: true }));
	expect(source.readyState).toBe(2);
});

test('the page has its own functions again at the end', async () => {
	await open();
	end();
	expect(await (await fetch(`${site}/control/status`)).text()).toBe('from the network');
});
