import { describe, expect, test } from 'vitest';
import { problemOf } from '#client/problems.ts';
import { characterCall, codeOf, gate, sentences, Workbench } from './workbench.ts';

/** Somebody signed in, whose token has half a minute left. */
async function endangered(jitter = 0) {
	const bench = new Workbench();
	const client = bench.tab('tab-1', { jitter: () => jitter });
	const session = await bench.signIn(client);
	bench.time += 3_920_000 - 30_000;
	const refreshing = (answer: () => Response | Promise<Response | undefined>) => {
		bench.service.override = ({ url }) => (url.pathname.includes('token') ? answer() : undefined);
	};
	const look = () => client.resources.call(characterCall(session.id));
	return { bench, client, session, refreshing, look };
}

describe('a refresh that cannot be made', () => {
	test('fails no call while the old token lives, and is not tried with every call', async () => {
		const { bench, refreshing, look } = await endangered();
		refreshing(() => new Response('', { status: 503 }));
		expect((await look()).status).toBe(200);
		expect((await look()).status).toBe(200);
		expect(bench.service.count('/token/')).toBe(2);
		bench.time += 31_000;
		expect(await codeOf(look())).toBe('renewal_later');
	});

	test('because the access was revoked is told at once, though the old token lives', async () => {
		const { client, session, refreshing, look } = await endangered();
		refreshing(() => Response.json({ error: 'invalid_grant' }, { status: 400 }));
		expect(await codeOf(look())).toBe('access_revoked');
		expect((await client.sessions.get(session.id))?.ended).toBe('access_revoked');
		expect(sentences(client.journal.steps)).toContain('noticed: The session is over');
	});

	test('is put off for a second, then twice as long each time, up to a minute', async () => {
		const { bench, client, session, refreshing, look } = await endangered();
		refreshing(() => new Response('', { status: 503 }));
		bench.time += 60_000;
		const pauses: number[] = [];
		for (let failure = 0; failure < 8; failure += 1) {
			const problem = problemOf(await look().catch((thrown: unknown) => thrown));
			expect(problem.code).toBe('renewal_later');
			pauses.push((problem.until ?? 0) - client.clock.now());
			const sent = bench.service.count('/token/');
			bench.time += (pauses.at(-1) ?? 0) - 1000;
			if ((pauses.at(-1) ?? 0) > 1000) expect(await codeOf(look())).toBe('renewal_later');
			expect(bench.service.count('/token/')).toBe(sent);
			bench.time += 2000;
		}
		expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
		expect((await client.sessions.get(session.id))?.ended).toBeNull();
	});

	test('many clients do not try it again at once', async () => {
		const { bench, client, refreshing, look } = await endangered(0.5);
		refreshing(() => new Response('', { status: 503 }));
		bench.time += 60_000;
		const { until = 0 } = problemOf(await look().catch((thrown: unknown) => thrown));
		expect(until - client.clock.now()).toBe(1125);
	});
});

describe('a refresh that is made', () => {
	test('is told once, however many calls wait for it, and nobody is said to have made it but this tab', async () => {
		const { bench, client, look } = await endangered();
		await Promise.all(Array.from({ length: 20 }, look));
		const said = sentences(client.journal.steps);
		expect(said.filter((sentence) => sentence === 'made: Renewing the access token')).toHaveLength(1);
		expect(said).toContain('stored: Stored the new access token; the refresh token stays');
		expect(said.join()).not.toContain('Another tab');
		expect(bench.service.count('/token/')).toBe(2);
	});

	test('in another tab is told as such', async () => {
		const { bench, client, session, look } = await endangered();
		const other = bench.tab('tab-2');
		await Promise.all([look(), other.resources.call(characterCall(session.id))]);
		const both = [client, other].flatMap(({ journal }) => sentences(journal.steps));
		expect(both).toContain('noticed: Another tab has already renewed the token');
	});

	test('changes the tokens of that person alone', async () => {
		const { bench, client, session } = await endangered();
		const other = await bench.signIn(client);
		await client.keeper.renew(session.id, session.access_token);
		expect(await client.sessions.get(other.id)).toEqual(other);
		const renewed = await client.sessions.get(session.id);
		expect(renewed).toMatchObject({ id: session.id, label: session.label, renewals: 1 });
		expect(renewed?.access_token).not.toBe(other.access_token);
	});

	test('brings what it brings: another refresh token, fewer permissions', async () => {
		const { client, session, refreshing } = await endangered();
		const body = {
			access_token: 'fresh',
			refresh_token: 'rotated',
			expires_in: 60,
			scope: ' location_read  credits_read '
		};
		refreshing(() => Response.json(body));
		expect(await client.keeper.renew(session.id, session.access_token)).toMatchObject({
			access_token: 'fresh',
			refresh_token: 'rotated',
			lifetime: 60_000,
			scope: ['location_read', 'credits_read']
		});
	});

	test('does not bring back somebody who was forgotten meanwhile', async () => {
		const { bench, client, session, refreshing } = await endangered();
		const { closed, open } = gate();
		refreshing(() => closed);
		const renewal = codeOf(client.keeper.renew(session.id, session.access_token));
		await expect.poll(() => bench.service.count('/token/')).toBe(2);
		await client.sessions.forget(session.id);
		open();
		expect(await renewal).toBe('signed_out');
		expect(await client.sessions.list()).toEqual([]);
		expect(sentences(client.journal.steps).join()).not.toContain('Stored the new access token');
	});

	test('is none for somebody who has signed out, whose access is over, or who gave no offline access', async () => {
		const { bench, client, session } = await endangered();
		bench.service.offline = false;
		const online = await bench.signIn(client);
		await client.sessions.end(session.id, 'access_revoked');
		expect(await codeOf(client.keeper.renew(session.id, session.access_token))).toBe('access_revoked');
		expect(await codeOf(client.keeper.renew(online.id, online.access_token))).toBe('session_expired');
		expect(await codeOf(client.keeper.renew('nobody', ''))).toBe('signed_out');
		expect(bench.service.count('/token/')).toBe(2);
	});
});
