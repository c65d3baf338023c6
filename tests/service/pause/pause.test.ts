import { describe, expect, it } from 'vitest';
import { pause } from '#api/control/pause.ts';
import { changePairs } from '#service/pause/messages.ts';
import type { TestResponse } from '../../conformance/response.ts';
import { createTestService } from '../test-service.ts';
import { formType } from '../../conformance/sandbox.ts';
import { navigation, opened, verifier } from './paused-sandbox.ts';

/** The held message of a response that leads a browser to its page. */
function messageOf(response: TestResponse): string {
	return new URL(response.header('location') ?? '').searchParams.get('message') ?? '';
}

it('rejects holding messages where several servers are one service', async () => {
	const at = await createTestService({ hasOtherServers: true }).sandbox();
	const rejected = await at.control('PUT', 'pause', { points: ['code_exchange'] });
	expect([rejected.status, rejected.text]).toEqual([409, expect.stringContaining('STORE=disk')]);
	expect((await at.controlled('PUT', 'pause', {})).as(pause)).toEqual({ points: [], held: [], passed: 0 });
	expect((await at.controlled('PUT', 'pause', { points: [] })).status).toBe(200);
	expect((await at.controlled('POST', 'reset')).status).toBe(200);
});

it('a held code exchange waits, shows its parameters without secrets, and is released with a change', async () => {
	const { at, hold, held, decide, code } = await opened();
	const issued = await code();
	await hold('code_exchange');
	const exchange = at.exchange(issued, at.viewer, { code_verifier: verifier });
	const [message] = await held();
	expect(message).toMatchObject({ point: 'code_exchange', client_id: 'character-viewer', is_navigation: false });
	const values = Object.fromEntries(message?.parameters.map(({ name, value }) => [name, value]) ?? []);
	expect(values).toMatchObject({ code: issued, code_verifier: verifier });
	expect(values.client_secret).not.toContain('viewer-secret');
	await decide({ action: 'release', changes: { code_verifier: 'x'.repeat(43) } });
	const response = await exchange;
	expect(response.status).toBe(400);
	const { trace } = await at.logged(response);
	expect(trace[0]).toMatchObject({ id: 'pause.released', detail: 'Changed while paused: code_verifier' });
	expect(await at.failedCheck(response)).toBe('token.code_verifier_matches');
	expect(await held()).toEqual([]);
});

it('the token request of each grant is held at its own point', async () => {
	const { at, hold, held, decide } = await opened();
	await at.changeSettings({ dialect: 'standard' });
	await hold('client_credentials');
	const { client_id, client_secret } = at.viewer;
	const request = at.token({ grant_type: 'client_credentials', client_id, client_secret });
	expect(await held()).toMatchObject([{ point: 'client_credentials', client_id, is_navigation: false }]);
	await decide({ action: 'release' });
	expect((await request).status).toBe(200);
});

it('a browser is sent to the page of its request, and sends it again changed', async () => {
	const { at, hold, decide, user, held } = await opened();
	await hold('authorization_request');
	const response = await user.authorize(at.viewer, { state: 's' }, ...navigation);
	expect(response.header('location')).toBe(`${at.base_url}/pause?message=${messageOf(response)}`);
	const { location = '' } = await decide({ action: 'release', changes: { state: null, scope: 'other' } });
	const target = location.slice(at.prefix.length);
	expect(target).not.toContain('state=');
	const released = await user.open(target, ...navigation);
	expect(released.header('location')).toContain('error=invalid_scope');
	// Only once.
	expect((await user.open(target, ...navigation)).header('location')).toContain('/pause?message=');
	expect((await held()).length).toBe(1);
});

describe('H1 a released request is that of the browser that sends it:', () => {
	/** A user who is signed in and has consented, and whose authorization request was released. */
	async function released() {
		const { at, hold, decide, user } = await opened();
		await user.code(at.viewer);
		await hold('authorization_request');
		const response = await user.authorize(at.viewer, { state: 's' }, ...navigation);
		const { location = '' } = await decide({ action: 'release' }, messageOf(response));
		await hold();
		return { at, user, target: location.slice(at.prefix.length) };
	}

	it('another client gets no code with its target', async () => {
		const { at, user, target } = await released();
		const other = await at.from('192.0.2.9').get(target, ...navigation);
		expect([other.status, other.header('location')]).toEqual([200, undefined]);
		expect(other.text).toContain('name="password"');
		expect((await user.open(target, ...navigation)).header('location'), 'of the user').toContain('code=');
	});

	it('only requests to its path with its method and its id take it', async () => {
		const { at, user, target } = await released();
		const id = new URLSearchParams(target.split('?')[1]).get('released') ?? '';
		expect(id).toMatch(/^[\w-]{16}$/);
		const health = await at.get(`/control/health?released=${id}`);
		expect(health.text).toBe('{"status":"ok"}');
		expect((await at.post(`/ws/oauth2/auth/?released=${id}`, {})).status).not.toBe(303);
		const bare = target.replace(/&released=.*/, '');
		expect((await at.post(`/control/health?released=${encodeURIComponent(at.prefix + bare)}`, {})).status).not.toBe(
			303
		);
		expect((await user.open(target, ...navigation)).header('location')).toContain('code=');
	});

	it('a changed form has the cookies of the browser that sends it', async () => {
		const { at, hold, decide, user } = await opened();
		const page = await user.openConsent();
		await hold('consent');
		const fields = { interaction: page.hidden('interaction'), decision: 'approve' };
		await user.post('/ws/oauth2/auth/', fields, ...navigation);
		const { location = '' } = await decide({ action: 'duplicate' });
		const target = location.slice(at.prefix.length);
		expect((await at.from('192.0.2.9').post(target, {}, ...navigation)).status).toBe(403);
		expect((await user.post(target, {}, ...navigation)).header('location')).toContain('code=');
	});
});

it('H9 changes the named parameters only, also beside names that every object has', () => {
	const sent = 'code=a&constructor=b&__proto__=c&toString';
	expect(changePairs(sent, { code: 'x' })).toBe('code=x&constructor=b&__proto__=c&toString');
	expect(changePairs(sent, { toString: null })).toBe('code=a&constructor=b&__proto__=c');
});

it('a decision of the user is sent again as a form, with its cookies', async () => {
	const { at, hold, decide, user } = await opened();
	const page = await user.openConsent();
	await hold('consent');
	const fields = { interaction: page.hidden('interaction'), decision: 'approve' };
	const waiting = await user.post('/ws/oauth2/auth/', fields, ...navigation);
	expect(messageOf(waiting)).not.toBe('');
	const { location = '', is_form } = await decide({ action: 'release', changes: { decision: 'deny' } });
	expect(is_form).toBe(true);
	const response = await user.post(location.slice(at.prefix.length), {}, ...navigation);
	expect(response.header('location')).toContain('error=access_denied');
});

it('the redirect with the code waits in the browser, and leads to the redirect URI with a changed state', async () => {
	const { at, hold, decide, user } = await opened();
	const page = await user.openConsent(at.viewer, { state: 'of the client' });
	await hold('authorization_response');
	const fields = { interaction: page.hidden('interaction'), decision: 'approve' };
	const waiting = await user.post('/ws/oauth2/auth/', fields, ...navigation);
	expect(waiting.header('location')).toContain('/pause?message=');
	const { location = '' } = await decide({ action: 'release', changes: { state: 'changed' } });
	expect(location).toMatch(new RegExp(`^${at.viewer.redirect_uri}\\?code=[\\w-]{43}&state=changed$`));
});

it('a dropped request gets no response, and a duplicated one is handled twice', async () => {
	const { at, hold, decide, code } = await opened();
	const issued = await code();
	await hold('code_exchange');
	const dropped = at.trySend({ method: 'POST', target: '/ws/oauth2/token/', body: 'grant_type=authorization_code' });
	await decide({ action: 'drop' });
	expect(await dropped).toBeUndefined();
	const exchange = at.exchange(issued, at.viewer, { code_verifier: verifier });
	await decide({ action: 'duplicate' });
	const { access_token } = (await exchange).tokens;
	expect((await at.character(access_token)).status, 'the second exchange revoked the token').toBe(401);
});

it('waits for 20 seconds after the last page, and for four minutes at most', async () => {
	const { service, at, hold, held, code } = await opened();
	const codes = [await code(), await code()];
	await hold('code_exchange');
	const [first, second] = codes.map((one) => at.exchange(one, at.viewer, { code_verifier: verifier }));
	service.clock += 19_000;
	await hold('code_exchange');
	expect((await held()).length).toBe(2);
	service.clock += 20_000;
	expect((await first)?.status).toBe(200);
	expect((await second)?.status).toBe(200);
	const third = at.refresh('unknown');
	await hold('refresh');
	const fourth = at.refresh('unknown');
	for (let seconds = 0; seconds < 240; seconds += 10) {
		service.clock += 10_000;
		await hold('refresh');
	}
	expect([(await third).status, (await fourth).status]).toEqual([400, 400]);
});

it('holds nothing of other sandboxes, nothing at other points, and no more than 20 messages', async () => {
	const { service, at, hold, held } = await opened();
	const other = await service.sandbox();
	await hold('refresh');
	expect((await other.refresh('unknown')).status).toBe(400);
	expect((await at.exchange('unknown')).status).toBe(400);
	const waiting = Array.from({ length: 20 }, () => at.refresh('unknown'));
	await expect.poll(async () => (await held()).length).toBe(20);
	expect((await at.refresh('unknown')).status).toBe(400);
	await hold();
	expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(20).fill(400));
	const late = await at.control('POST', 'pause/unknown', { action: 'release' });
	expect([late.status, late.text]).toEqual([404, expect.stringContaining('not held any more')]);
});

it('only the owner reads and decides', async () => {
	const { service, at, hold } = await opened();
	const other = await service.sandbox();
	await hold('refresh');
	const headers = ['X-Tollgate-Key', other.key];
	expect((await at.send({ target: '/control/pause', headers })).status).toBe(403);
});

it('forgets the message of a browser that left its page after four minutes', async () => {
	const { service, at, hold, held, user } = await opened();
	await hold('authorization_request');
	for (let count = 0; count < 20; count++) await user.authorize(at.viewer, { state: `s${count}` }, ...navigation);
	// A page that polls keeps the pause itself.
	for (let polls = 0; polls < 24; polls++) {
		expect(await held()).toHaveLength(20);
		service.clock += 10_000;
		await at.controlled('PUT', 'pause', {});
	}
	expect(await held()).toEqual([]);
	await user.authorize(at.viewer, { state: 'next' }, ...navigation);
	expect(await held()).toHaveLength(1);
});

it('keeps 20 released requests for browsers that do not come back, for a minute', async () => {
	const { service, at, hold, held, decide, user } = await opened();
	await hold('authorization_request');
	const open = (state: string) => user.authorize(at.viewer, { state }, ...navigation);
	for (let count = 0; count < 20; count++) await decide({ action: 'release' }, messageOf(await open(`s${count}`)));
	await open('not held');
	expect(await held()).toEqual([]);
	service.clock += 60_000;
	await open('held');
	expect(await held()).toHaveLength(1);
});

it('sandboxes that are reset or get a world count as none that hold messages', async () => {
	const { service, at, hold, held } = await opened();
	for (let count = 0; count < 201; count++) {
		const other = await service.sandbox();
		await other.controlled('PUT', 'pause', {});
		await other.controlled('POST', 'reset');
		await other.controlled('DELETE', 'world');
	}
	await hold('refresh');
	const waiting = at.refresh('unknown');
	await expect.poll(held).toHaveLength(1);
	await hold();
	await waiting;
});

it('a reset of the sandbox ends the pause', async () => {
	const { at, hold } = await opened();
	await hold('refresh');
	const waiting = at.refresh('unknown');
	await at.controlled('POST', 'reset');
	expect((await waiting).status).toBe(400);
	expect((await at.controlled('GET', 'pause')).as(pause)).toEqual({ points: [], held: [], passed: 0 });
});

it('scripts of a browser wait for three messages, so that its pages still get responses', async () => {
	const { at, hold } = await opened();
	await hold('refresh');
	const script = ['Sec-Fetch-Site', 'same-site', 'Sec-Fetch-Mode', 'cors', ...formType];
	const send = () =>
		at.send({ method: 'POST', target: '/ws/oauth2/token/', headers: script, body: 'grant_type=refresh_token' });
	const sent = Array.from({ length: 8 }, send);
	const view = async () => (await at.controlled('GET', 'pause')).as(pause);
	await expect.poll(async () => (await view()).passed).toBe(5);
	expect(await view()).toMatchObject({
		held: [{}, {}, {}],
		passed_because: expect.stringContaining('A browser opens six connections to a server')
	});
	const passed = await Promise.race(sent);
	expect((await at.logged(passed)).trace[0]).toMatchObject({
		id: 'pause.not_held',
		detail: expect.stringContaining('Scripts already wait for 3 responses.')
	});
	// Programs are not limited.
	const ofProgram = at.refresh('unknown');
	await expect.poll(async () => (await view()).held.length).toBe(4);
	await hold();
	await Promise.all([...sent, ofProgram]);
	expect(await view()).not.toHaveProperty('passed_because');
});
