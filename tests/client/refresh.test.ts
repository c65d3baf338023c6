import { describe, expect, test } from 'vitest';
import { explain } from '#client/explanations.ts';
import { Problem } from '#client/problems.ts';
import type { Wishes } from '#client/sign-in/request.ts';
import { isDue, marginOf } from '#client/tokens/keeper.ts';
import { characterCall, codeOf, sentences, wishes, Workbench } from './workbench.ts';

const online = { ...wishes, access_type: 'online' } as const;

async function signedIn(chosen: Wishes = wishes) {
	const bench = new Workbench();
	bench.service.offline = chosen.access_type === 'offline';
	const client = bench.tab('tab-1');
	const session = await bench.signIn(client, chosen);
	bench.service.requests.length = 0;
	const call = characterCall(session.id);
	return { bench, client, session, call, tokenRequests: () => bench.service.count('/token/') };
}

describe('CL-05: one refresh in flight', () => {
	test('20 calls in each of two tabs meet 401 together: one refresh, every call answered', async () => {
		const { bench, client, call, tokenRequests } = await signedIn();
		const other = bench.tab('tab-2');
		bench.service.expireAll();
		const calls = [client, other].flatMap((tab) => Array.from({ length: 20 }, () => tab.resources.call(call)));
		const answers = await Promise.all(calls);
		expect(answers.map(({ status }) => status)).toEqual(Array<number>(40).fill(200));
		expect(tokenRequests()).toBe(1);
		expect(bench.service.count('Vell')).toBe(80);
	});

	test('the same ahead of expiry, with an answer that is slow', async () => {
		const { bench, client, call, tokenRequests } = await signedIn();
		const other = bench.tab('tab-2');
		bench.time += 3_920_000 - 30_000;
		let answer = (): void => undefined;
		const slow = new Promise<void>((resolve) => (answer = resolve));
		bench.service.override = (seen) => {
			if (seen.url.pathname !== '/ws/oauth2/token/') return undefined;
			bench.service.override = undefined;
			return slow.then(() => bench.service.fetch(seen.url.href, { method: 'POST', body: seen.form }));
		};
		const calls = [client, other].flatMap((tab) => Array.from({ length: 20 }, () => tab.resources.call(call)));
		await expect.poll(tokenRequests).toBe(1);
		answer();
		await Promise.all(calls);
		expect(tokenRequests()).toBe(2); // the fake counts the held one again when it is let through
		expect(bench.service.count('Vell')).toBe(40);
	});

	test('the refresh token is kept when the answer brings none', async () => {
		const { bench, client, session, call } = await signedIn();
		bench.service.expireAll();
		await client.resources.call(call);
		const after = await client.sessions.get(session.id);
		expect(after).toMatchObject({ refresh_token: session.refresh_token, renewals: 1 });
		expect(after?.access_token).not.toBe(session.access_token);
	});

	test('access revoked: one refresh, one message, and nothing is sent after', async () => {
		const { bench, client, session, call, tokenRequests } = await signedIn();
		const other = bench.tab('tab-2');
		bench.service.revokeAll();
		const codes = [client, other].flatMap((tab) => Array.from({ length: 5 }, () => codeOf(tab.resources.call(call))));
		expect(new Set(await Promise.all(codes))).toEqual(new Set(['access_revoked']));
		expect(tokenRequests()).toBe(1);
		const sent = bench.service.requests.length;
		expect(await codeOf(client.resources.call(call))).toBe('access_revoked');
		expect(bench.service.requests).toHaveLength(sent);
		expect(await client.sessions.get(session.id)).toMatchObject({
			ended: 'access_revoked',
			access_token: '',
			refresh_token: null
		});
		expect(explain(new Problem('access_revoked')).offer).toBe('sign-in');
	});

	test('a refresh that fails is not repeated by the others, keeps its token, and is put off longer each time', async () => {
		const { bench, client, session, call, tokenRequests } = await signedIn();
		bench.service.expireAll();
		bench.service.override = ({ url }) =>
			url.pathname.includes('token') ? new Response('', { status: 503 }) : undefined;
		const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(client.resources.call(call))));
		expect(new Set(codes)).toEqual(new Set(['renewal_later']));
		expect(tokenRequests()).toBe(1);
		expect(await codeOf(client.resources.call(call))).toBe('renewal_later');
		expect(tokenRequests()).toBe(1);
		bench.time += 1100;
		await codeOf(client.resources.call(call));
		expect(tokenRequests()).toBe(2);
		expect(await client.sessions.get(session.id)).toMatchObject({
			failures: 2,
			ended: null,
			refresh_token: session.refresh_token
		});
		bench.service.override = undefined;
		bench.time += 2100;
		expect((await client.resources.call(call)).status).toBe(200);
		expect(await client.sessions.get(session.id)).toMatchObject({ failures: 0 });
	});

	test('a fresh token that is refused too ends the session: no loop', async () => {
		const { bench, client, session, call, tokenRequests } = await signedIn();
		bench.service.override = ({ url }) =>
			url.pathname.includes('token') ? undefined : new Response('', { status: 401 });
		expect(await codeOf(client.resources.call(call))).toBe('refused_again');
		expect(tokenRequests()).toBe(1);
		expect(bench.service.count('Vell')).toBe(2);
		expect(await client.sessions.get(session.id)).toMatchObject({ ended: 'refused_again' });
	});

	test('online access is not renewed: the person is asked to sign in again', async () => {
		const { bench, client, session, call, tokenRequests } = await signedIn(online);
		expect(session.refresh_token).toBeNull();
		bench.time += 3_900_000;
		expect((await client.resources.call(call)).status).toBe(200);
		bench.time += 20_000;
		expect(await codeOf(client.resources.call(call))).toBe('session_expired');
		expect(tokenRequests()).toBe(0);
		const back = await bench.signIn(client, online, session.id);
		expect(back).toMatchObject({ id: session.id, label: session.label, ended: null });
	});

	test('a wrong secret is not taken for a revoked access', async () => {
		const { bench, client, session, call } = await signedIn();
		bench.service.expireAll();
		await client.setCredentials({ client_id: 'character-viewer', client_secret: 'wrong' });
		expect(await codeOf(client.resources.call(call))).toBe('invalid_client');
		expect(await client.sessions.get(session.id)).toMatchObject({ ended: null, refresh_token: session.refresh_token });
	});
});

describe('CL-06: lifetimes and clocks', () => {
	test('the margin is smaller than any lifetime', () => {
		for (const lifetime of [1000, 60_000, 3_920_000, 1e12]) expect(marginOf(lifetime)).toBeLessThan(lifetime);
		expect([60_000, 600_000, 3_920_000].map(marginOf)).toEqual([6000, 60_000, 60_000]);
	});

	test('tokens of 60 seconds: an hour of calls, one a second, takes one refresh for each 54 seconds', async () => {
		const bench = new Workbench();
		bench.service.expires_in = 60;
		bench.service.remaining = 5000;
		const client = bench.tab('tab-1');
		await client.switches.change({ throttle: false });
		const session = await bench.signIn(client);
		for (let second = 0; second < 3600; second += 1) {
			bench.time += 1000;
			expect((await client.resources.call(characterCall(session.id))).status).toBe(200);
		}
		const refreshes = bench.service.count('/token/') - 1;
		expect(refreshes).toBeGreaterThan(60);
		expect(refreshes).toBeLessThan(70);
		expect(bench.service.count('Vell')).toBe(3600);
	});

	test.each([10, -10])('this machine %i minutes off: neither a needless refresh nor a late one', async (minutes) => {
		const bench = new Workbench();
		bench.ahead = minutes * 60_000;
		const client = bench.tab('tab-1');
		const session = await bench.signIn(client);
		await client.resources.call(characterCall(session.id));
		expect(Math.abs(client.clock.now() - (bench.time + bench.ahead))).toBeLessThan(1000);
		bench.time += 3_920_000 - 70_000;
		await client.resources.call(characterCall(session.id));
		expect(bench.service.count('/token/')).toBe(1);
		bench.time += 20_000;
		await client.resources.call(characterCall(session.id));
		expect(bench.service.count('/token/')).toBe(2);
		expect(bench.service.count('Vell')).toBe(3);
	});

	test('a page opened later knows the difference of the clocks before its first call', async () => {
		const bench = new Workbench();
		bench.ahead = 3_600_000;
		const first = bench.tab('tab-1');
		await bench.signIn(first);
		await first.memory.rememberClock();
		const later = bench.tab('tab-2');
		await later.recall();
		expect(Math.abs(later.clock.offset - 3_600_000)).toBeLessThan(1000);
	});

	test('the clock of the service is moved an hour: one 401, one refresh, and the client says so', async () => {
		const { bench, client, call, tokenRequests } = await signedIn();
		await client.resources.call(call);
		bench.ahead += 2 * 3_600_000;
		expect((await client.resources.call(call)).status).toBe(200);
		expect(tokenRequests()).toBe(1);
		expect(client.journal.steps.map(({ what }) => what)).toContain('The clock of the service was moved');
	});

	test('after sleep, a token that has expired meanwhile is renewed before the call', async () => {
		const { bench, client, call, tokenRequests } = await signedIn();
		bench.time += 9 * 3_600_000;
		expect((await client.resources.call(call)).status).toBe(200);
		expect(tokenRequests()).toBe(1);
		expect(bench.service.count('Vell')).toBe(1);
	});

	test.each([
		['a text', '3920', 3_920_000],
		['missing', undefined, null],
		['zero', 0, null],
		['negative', -1, null],
		['enormous', 1e12, 30 * 24 * 3_600_000],
		['nonsense', 'soon', null],
		['null', null, null],
		['blank', ' ', null],
		['endless', '1e999', null]
	])('expires_in %s', async (_, expires_in, lifetime) => {
		const bench = new Workbench();
		bench.service.expires_in = expires_in;
		const client = bench.tab('tab-1');
		const session = await bench.signIn(client);
		expect(session.lifetime).toBe(lifetime);
		expect(isDue(session, client.clock.now())).toBe(false);
		await client.resources.call(characterCall(session.id));
		expect(bench.service.count('/token/')).toBe(1);
	});

	test('an answer in XML, with fields nobody promised and without token_type', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		await client.switches.change({ tokenFormat: 'xml' });
		bench.service.override = ({ headers }) => {
			expect(headers.get('accept')).toBe('application/xml');
			const body =
				'<?xml version="1.0"?><OAuth><access_token>a&amp;b</access_token><expires_in>60</expires_in><refresh_token>r</refresh_token><mood>fine</mood></OAuth>';
			return new Response(body, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
		};
		expect(await bench.signIn(client)).toMatchObject({
			access_token: 'a&b',
			lifetime: 60_000,
			refresh_token: 'r',
			scope: ['character_read']
		});
	});

	test('a refresh asks for XML too, and the log says how oauth4webapi comes by it', async () => {
		const { bench, client, session } = await signedIn();
		await client.switches.change({ tokenFormat: 'xml' });
		bench.service.override = ({ headers }) => {
			expect(headers.get('accept')).toBe('application/xml');
			const body = '<OAuth><access_token>in-xml</access_token><expires_in>60</expires_in></OAuth>';
			return new Response(body, { headers: { 'content-type': 'application/xml' } });
		};
		const renewed = await client.keeper.renew(session.id, session.access_token);
		expect(renewed).toMatchObject({ access_token: 'in-xml', refresh_token: session.refresh_token });
		expect(sentences(client.journal.steps)).toContain(
			'checked: Read the XML, and handed its fields to oauth4webapi as JSON: it reads nothing else'
		);
	});

	test('a service that answers JSON all the same is understood', async () => {
		const { client, session } = await signedIn();
		await client.switches.change({ tokenFormat: 'xml' });
		await client.keeper.renew(session.id, session.access_token);
		expect(sentences(client.journal.steps).join()).not.toContain('Read the XML');
	});

	test('an error in XML keeps its name', async () => {
		const bench = new Workbench();
		bench.service.override = () =>
			new Response('<OAuth><error>invalid_grant</error></OAuth>', {
				status: 400,
				headers: { 'content-type': 'text/xml' }
			});
		expect(await codeOf(bench.signIn(bench.tab('tab-1')))).toBe('invalid_grant');
	});

	test.each([
		['no JSON', 'hello', 'application/json'],
		['a page', '<!doctype html><p>hello', 'text/html'],
		['bad XML', '<OAuth><access_token>', 'application/xml'],
		['another root', '<Other><access_token>a</access_token></Other>', 'application/xml'],
		['no token', '{"token_type":"OAuth"}', 'application/json']
	])('an answer that is %s is unreadable, and nothing is stored', async (_, body, type) => {
		const bench = new Workbench();
		bench.service.override = () => new Response(body, { headers: { 'content-type': type } });
		const client = bench.tab('tab-1');
		expect(await codeOf(bench.signIn(client))).toBe('unreadable');
		expect(await client.sessions.list()).toEqual([]);
	});
});
