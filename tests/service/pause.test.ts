import { expect, it } from 'vitest';
import { heldContinuation, pause, type HeldDecision, type PausePoint } from '#api/control/pause.ts';
import type { TestResponse } from '../conformance/response.ts';
import { createTestService } from './test-service.ts';

const navigation = ['Sec-Fetch-Mode', 'navigate', 'Accept', 'text/html'];

async function opened() {
	const service = createTestService({ sleep: () => new Promise((resolve) => setImmediate(resolve)) });
	const at = await service.sandbox();
	const hold = (...points: PausePoint[]) => at.controlled('PUT', 'pause', { points });
	const held = async () => (await at.controlled('GET', 'pause')).as(pause).held;
	const decide = async (decision: HeldDecision, id?: string) => {
		const message = id ?? (await held())[0]?.id ?? 'none';
		return (await at.controlled('POST', `pause/${message}`, decision)).as(heldContinuation);
	};
	const user = at.user();
	/** Signs in and allows access, to a code. */
	const code = () => user.code(at.viewer, { code_challenge_method: 'S256', code_challenge: challenge });
	return { service, at, hold, held, decide, user, code };
}

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** The held message of a response that leads a browser to its page. */
function messageOf(response: TestResponse): string {
	return new URL(response.header('location') ?? '').searchParams.get('message') ?? '';
}

it('refuses to hold messages where several servers are one service', async () => {
	const at = await createTestService({ hasOtherServers: true }).sandbox();
	const refused = await at.control('PUT', 'pause', { points: ['code_exchange'] });
	expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('STORE=disk')]);
	expect((await at.controlled('PUT', 'pause', {})).as(pause)).toEqual({ points: [], held: [] });
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

it('holds 500 messages of a server, and responds to all when their pages vanish', async () => {
	const { service } = await opened();
	const sandboxes = await Promise.all(Array.from({ length: 26 }, () => service.sandbox()));
	for (const at of sandboxes) await at.controlled('PUT', 'pause', { points: ['refresh'] });
	const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
	const sent = sandboxes.flatMap((at, number) =>
		Array.from({ length: 20 }, () => at.from(addresses[number % 3] ?? '').refresh('unknown'))
	);
	const count = async () => {
		const views = await Promise.all(sandboxes.map(async (at) => (await at.controlled('GET', 'pause')).as(pause)));
		return views.reduce((sum, { held }) => sum + held.length, 0);
	};
	await expect.poll(count).toBe(500);
	const other = await service.sandbox();
	expect((await other.refresh('unknown')).status, 'other sandboxes are not slowed down').toBe(400);
	service.clock += 21_000;
	expect((await Promise.all(sent)).every(({ status }) => status === 400)).toBe(true);
	expect(await count()).toBe(0);
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

it('holds 200 messages of one network address, and those of others beside them', async () => {
	const { service } = await opened();
	const sandboxes = await Promise.all(Array.from({ length: 11 }, () => service.sandbox()));
	for (const at of sandboxes) await at.controlled('PUT', 'pause', { points: ['refresh'] });
	const [first] = sandboxes;
	const sent = sandboxes.slice(1).flatMap((at) => Array.from({ length: 20 }, () => at.refresh('unknown')));
	expect((await first?.refresh('unknown'))?.status).toBe(400);
	sent.push(...(first ? [first.from('192.0.2.1').refresh('unknown')] : []));
	await expect.poll(async () => (await first?.controlled('GET', 'pause'))?.as(pause).held.length).toBe(1);
	service.clock += 21_000;
	expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(201).fill(400));
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
	expect((await at.controlled('GET', 'pause')).as(pause)).toEqual({ points: [], held: [] });
});
