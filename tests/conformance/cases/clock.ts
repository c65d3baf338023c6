import { upcomingEvents, clock } from '#api/control/clock.ts';
import { equal, ok } from '../assert.ts';
import { testCase, storeCase, type Case } from '../case.ts';
import type { Sandbox } from '../sandbox.ts';

/** RM-06 and RM-08: the return to the real time, and the upcoming events. */
export const clockCases: Case[] = [
	storeCase(
		'RM-06 RM-08 keeps what expired invalid after the return to the real time, and what is left as long',
		async (at) => {
			const user = at.user();
			const [expired, oldCode] = [(await user.tokens()).access_token, await user.code()];
			await at.advance(5000);
			const { access_token } = await user.tokens();
			const code = await user.code();
			const first = (await at.character(access_token)).limit;
			await at.advance(500);
			const before = await eventsOf(at);
			const real = (await at.controlled('DELETE', 'clock')).as(clock);
			equal(real.offset, 0);
			const after = await eventsOf(at);
			equal(
				after.events.map(({ kind }) => kind),
				before.events.map(({ kind }) => kind)
			);
			for (const [index, { at: time }] of before.events.entries()) {
				const left = (after.events[index]?.at ?? 0) - after.now;
				ok(Math.abs(time - before.now - left) < 30_000, `${left} ms left`);
			}
			equal((await at.character(expired)).status, 401);
			equal((await at.exchange(oldCode)).error, 'invalid_grant');
			equal((await at.exchange(code)).status, 200);
			const { remaining, reset } = (await at.character(access_token)).limit;
			// The request with the expired token counts, too.
			equal([remaining, reset < first.reset], [first.remaining - 2, true]);
			await at.advance(3500);
			equal((await at.character(access_token)).status, 401, 'its lifetime is over');
		}
	),
	testCase('RM-08 lists what expires or resets next, soonest first, with the application and the user', async (at) => {
		const user = at.user();
		const { access_token, refresh_token } = await user.offline();
		await at.exchange(await user.code());
		await user.code(at.companion);
		await at.character(access_token);
		await at.get('/ratelimiting');
		const { now, events, more } = await eventsOf(at);
		equal(
			events.map(({ kind, application, username, pattern }) => [kind, application ?? pattern, username]),
			[
				['code_expires', 'Pocket Companion', 'player-one'],
				['window_resets', '/ws/v2.0/character/*', undefined],
				['access_token_expires', 'Character Viewer', 'player-one'],
				['access_token_expires', 'Character Viewer', 'player-one']
			]
		);
		equal(more, 0);
		ok(
			events.every((event) => event.at > now),
			'all are in the future'
		);
		const [next] = events;
		await at.controlled('POST', 'clock', { to: Math.ceil((next?.at ?? 0) / 1000) });
		equal((await eventsOf(at)).events.length, 3, 'a jump to an event makes it happen');
		await at.revoke(refresh_token);
		equal(
			(await eventsOf(at)).events.map(({ kind }) => kind),
			['window_resets'],
			'revoked tokens are not listed'
		);
	}),
	storeCase('RL-03 RM-06 resets after the window that is set, also one that is shortened', async (at) => {
		await at.changeSettings({ limits: { character: 1, window: 7200 } });
		const { access_token } = await at.user().tokens();
		const seconds = async () => Math.floor((await at.now()) / 1000);
		const opened = (await at.character(access_token)).limit.reset - (await seconds());
		ok(opened > 7190 && opened <= 7201, `two hours: ${opened}`);
		equal((await at.character(access_token)).status, 400);
		await at.changeSettings({ limits: { window: 60 } });
		const { reset } = (await at.character(access_token)).limit;
		ok(reset - (await seconds()) <= 61, 'not later than a new window');
		await at.advance(61);
		equal((await at.character(access_token)).status, 200);
		for (const wrong of [0, 86_401, 1.5, '60']) {
			equal((await at.control('PATCH', 'settings', { limits: { window: wrong } })).status, 400);
		}
	})
];

async function eventsOf(at: Sandbox) {
	return (await at.controlled('GET', 'events')).as(upcomingEvents);
}
