import { describe, expect, test } from 'vitest';
import { characterCall, codeOf, sentences, wishes, Workbench } from './workbench.ts';

describe('several people at once', () => {
	test('each has tokens of their own, and a name', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const people = [await bench.signIn(client), await bench.signIn(client), await bench.signIn(client)];
		expect(people.map(({ label }) => label)).toEqual(['Person 1', 'Person 2', 'Person 3']);
		expect(new Set(people.map(({ access_token }) => access_token)).size).toBe(3);
		expect(await bench.tab('tab-2').sessions.list()).toEqual(people);
	});

	test('people of another service on the same shelf are not seen', async () => {
		const bench = new Workbench();
		await bench.signIn(bench.tab('tab-1'));
		const other = new Workbench('https://other.example').tab('tab-1', { shelf: bench.shelf });
		expect(await other.sessions.list()).toEqual([]);
	});

	test('a session that is alive is never overwritten by another sign-in', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const first = await bench.signIn(client);
		const second = await bench.signIn(client, wishes, first.id);
		expect(second.id).not.toBe(first.id);
		expect(await client.sessions.get(first.id)).toEqual(first);
	});

	test('who comes back gets their own place again, and nobody else’s changes', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const [first, second, third] = [await bench.signIn(client), await bench.signIn(client), await bench.signIn(client)];
		await client.sessions.end(first.id, 'access_revoked');
		await client.sessions.end(second.id, 'session_expired');
		const back = await bench.signIn(client, wishes, second.id);
		expect(back).toMatchObject({ id: second.id, label: second.label, ended: null });
		const all = await client.sessions.list();
		expect(all.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
		expect(all[0]).toMatchObject({ ended: 'access_revoked', access_token: '' });
		expect(all[2]).toEqual(third);
	});

	test('may allow less than they were asked for', async () => {
		const bench = new Workbench();
		const scope = ['character_read', 'credits_read'];
		expect((await bench.signIn(bench.tab('tab-1'), { ...wishes, scope })).scope).toEqual(['character_read']);
	});

	test('a name that is free is given again', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const first = await bench.signIn(client);
		await bench.signIn(client);
		await client.signOut(first.id);
		expect((await bench.signIn(client)).label).toBe('Person 1');
		const other = new Workbench('https://other.example');
		const elsewhere = other.tab('tab-1', { shelf: bench.shelf });
		expect((await other.signIn(elsewhere)).label).toBe('Person 1');
	});

	test('the log says what was kept, for how long, and of which permissions', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const factsOf = async () => {
			await bench.signIn(client);
			return Object.fromEntries(client.journal.steps.at(-1)?.facts ?? []);
		};
		expect(await factsOf()).toEqual({
			access_token: 'access…',
			refresh_token: 'refres…',
			lives: '3920 s',
			scope: 'character_read'
		});
		bench.service.expires_in = undefined;
		bench.service.offline = false;
		expect(await factsOf()).toMatchObject({ refresh_token: 'none', lives: 'until it is refused' });
	});
});

describe('signing out', () => {
	test('revokes at the service, and every tab forgets the tokens', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const { id, refresh_token } = await bench.signIn(client);
		expect(await client.signOut(id)).toBe('revoked');
		const sent = bench.service.requests.at(-1);
		expect(sent?.method).toBe('GET');
		expect(Object.fromEntries(sent?.url.searchParams ?? [])).toEqual({
			token: refresh_token,
			client_id: 'character-viewer'
		});
		expect(await bench.tab('tab-2').sessions.list()).toEqual([]);
		expect(await codeOf(client.resources.call(characterCall(id)))).toBe('signed_out');
	});

	test('without a refresh token there is nothing to revoke by: forgotten here, and said so', async () => {
		const bench = new Workbench();
		bench.service.offline = false;
		const client = bench.tab('tab-1');
		const { id } = await bench.signIn(client, { ...wishes, access_type: 'online' });
		expect(await client.signOut(id)).toBe('forgotten');
		expect(bench.service.count('/revoke')).toBe(0);
		expect(sentences(client.journal.steps)).toContain(
			'noticed: Nothing to revoke: the service revokes by refresh token only'
		);
		expect(await client.sessions.list()).toEqual([]);
	});

	test('an access that was revoked before is forgotten too', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const { id } = await bench.signIn(client);
		bench.service.revokeAll();
		expect(await client.signOut(id)).toBe('already');
		expect(await client.sessions.list()).toEqual([]);
	});

	test('so is one that a call has found revoked: nobody is told that it lives on', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const { id } = await bench.signIn(client);
		bench.service.revokeAll();
		expect(await codeOf(client.resources.call(characterCall(id)))).toBe('access_revoked');
		expect(await client.signOut(id)).toBe('already');
		expect(bench.service.count('/revoke')).toBe(0);
		expect(await client.sessions.list()).toEqual([]);
	});

	test('where the service is silent the tokens stay, so that it can be tried again', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const { id } = await bench.signIn(client);
		bench.service.silent = true;
		expect(await codeOf(client.signOut(id))).toBe('silence');
		expect(await client.sessions.list()).toHaveLength(1);
	});

	test.each([
		['a fault', 503, '', 'server_error'],
		['a refusal', 400, '{"error":"invalid_client"}', 'invalid_client'],
		['a page', 404, '<!doctype html>', 'unreadable'],
		['an odd fault', 500, '{"error":"invalid_token"}', 'invalid_token']
	])('where the service answers with %s they stay too', async (_, status, body, code) => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const session = await bench.signIn(client);
		bench.service.override = () => new Response(body, { status });
		expect(await codeOf(client.signOut(session.id))).toBe(code);
		expect(await client.sessions.list()).toEqual([session]);
	});

	test('ends nobody else’s session', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const [first, second] = [await bench.signIn(client), await bench.signIn(client)];
		await client.signOut(first.id);
		expect(await client.sessions.list()).toEqual([second]);
	});

	test('a refresh under way does not bring a signed-out session back', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const { id, access_token } = await bench.signIn(client);
		const renewal = codeOf(client.keeper.renew(id, access_token));
		const out = bench.tab('tab-2').signOut(id);
		const late = codeOf(client.keeper.token(id));
		expect(await renewal).toBe('none');
		expect(await out).toBe('revoked');
		await late;
		expect(await client.sessions.list()).toEqual([]);
	});
});
