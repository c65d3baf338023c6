import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { defaultAttempts } from '#service/core/quotas.ts';
import { upcomingEvents } from '#api/control/clock.ts';
import { rotate, signIn } from '../../conformance/openid.ts';
import { pkce } from '../../conformance/standard.ts';
import { createTestService } from '../test-service.ts';

const header = 'X-Tollgate-Address';

it('RM-06 what expired before a return to the real time stays expired, and the rest keeps the time that it has left', async () => {
	const steps = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 4 });
	await fc.assert(
		fc.asyncProperty(steps, fc.integer({ min: -5000, max: 5000 }), async (advances, drift) => {
			const tested = createTestService();
			const at = await tested.sandbox();
			const tokens: { access_token: string; bornAt: number }[] = [];
			for (const seconds of advances) {
				tokens.push({ access_token: (await at.user().tokens()).access_token, bornAt: await at.now() });
				await at.advance(seconds);
			}
			const now = await at.now();
			// The clock of a machine may be set back or forward at any time.
			tested.clock += drift;
			const moved = await at.now();
			await at.controlled('DELETE', 'clock');
			expect(await at.now()).toBe(tested.clock);
			const passed = Math.max(moved, now);
			for (const { access_token, bornAt } of tokens) {
				const left = 3_920_000 - (passed - bornAt);
				expect((await at.character(access_token)).status === 200, `${left} ms left`).toBe(left > 0);
			}
			const { events } = (await at.controlled('GET', 'events')).as(upcomingEvents);
			for (const event of events) {
				const longest = event.kind === 'window_resets' ? 3_600_000 : 3_920_000;
				expect(event.at - tested.clock).toBeLessThanOrEqual(longest);
			}
		}),
		{ numRuns: 25 }
	);
});

it('RM-06 nothing that was created by the clock ahead has happened in the future', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.advance(100_000);
	const { client_id } = await at.register('installed');
	await at.controlled('DELETE', 'clock');
	const registered = v.object({ applications: v.array(v.object({ client_id: v.string(), registered: v.number() })) });
	const { applications } = (await at.controlled('GET', 'applications')).as(registered);
	const found = applications.find((one) => one.client_id === client_id);
	expect(found?.registered).toBe(Math.floor(tested.clock / 1000));
});

it('RM-06 a sign-in keeps its age, and a grant and a key were used and made no later than now', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.changeSettings({ dialect: 'standard' });
	await at.advance(100_000);
	await rotate(at, 'ES256');
	const user = at.user();
	await signIn(at, {}, user);
	await at.controlled('DELETE', 'clock');
	const now = Math.floor(tested.clock / 1000);
	const used = v.object({ grants: v.array(v.object({ last_used: v.number() })) });
	expect((await at.controlled('GET', 'credentials')).as(used).grants).toEqual([{ last_used: now }]);
	const made = v.object({ keys: v.array(v.object({ created: v.number() })) });
	expect((await at.controlled('GET', 'signing_keys')).as(made).keys).toContainEqual({ created: now });
	tested.clock += 3_600_000;
	const { claims } = (await signIn(at, {}, user)).id;
	expect(claims.iat - (claims.auth_time ?? 0)).toBe(3600);
	const silent = { ...pkce, scope: 'openid', prompt: 'none', max_age: '50' };
	expect((await user.authorize(at.viewer, silent)).parameter('error')).toBe('login_required');
});

it('RM-08 lists 50 events at most, and says how many follow', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const { refresh_token } = await at.user().offline();
	for (let count = 0; count < 59; count++) await at.refresh(refresh_token);
	const { events, more } = (await at.controlled('GET', 'events')).as(upcomingEvents);
	expect([events.length, more]).toEqual([50, 10]);
});

it('RL-11 RL-08 a host learns of a blacklisted virtual address too, unless only the body would tell', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const { access_token } = await at.user().tokens();
	const isBlacklisted = (target: string, ...headers: string[]) =>
		tested.service.isBlacklisted({ method: 'POST', target: `${at.prefix}${target}`, headers, peer: '127.0.0.1' });
	await at.changeSettings({ limits: { character: 0, blacklist_after_refused: 1 } });
	await at.get('/ws/v2.0/character/x', header, '192.0.2.7');
	expect(await isBlacklisted('/ws/oauth2/token/')).toBe(false);
	expect(await isBlacklisted('/ws/oauth2/token/', header, '192.0.2.7')).toBe(true);
	await at.controlled('PATCH', 'applications/character-viewer', { address: '192.0.2.7' });
	expect(await isBlacklisted('/ws/v2.0/character/x', 'Authorization', `OAuth ${access_token}`)).toBe(true);
	expect(await isBlacklisted('/ws/oauth2/revoke?client_id=character-viewer')).toBe(true);
	expect(await isBlacklisted('/ws/oauth2/revoke?client_id=pocket-companion')).toBe(false);
	expect(await isBlacklisted('/ws/oauth2/token/')).toBe(false);
});

it('RL-11 no virtual address gets around the limits of failed attempts', async () => {
	const tested = createTestService({ quotas: { attempts: { ...defaultAttempts, sandbox_key: 3 } } });
	const at = await tested.sandbox();
	const statuses: number[] = [];
	for (let attempt = 0; attempt < 4; attempt++) {
		const headers = ['X-Tollgate-Key', 'wrong', header, `192.0.2.${attempt}`];
		statuses.push((await at.send({ target: '/control/clock', headers })).status);
	}
	expect(statuses).toEqual([403, 403, 403, 429]);
});
