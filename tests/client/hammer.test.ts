import { describe, expect, test } from 'vitest';
import { hammer, type Tally } from '#client/manners/hammer.ts';
import { characterCall, Workbench } from './workbench.ts';

const never = new AbortController().signal;

async function hammering() {
	const bench = new Workbench();
	const client = bench.tab('tab-1');
	const session = await bench.signIn(client);
	const tallies: Tally[] = [];
	const strike = (most: number, signal = never) =>
		hammer(client.resources, characterCall(session.id), most, signal, (tally) => tallies.push(tally));
	const refusing = (status: number, error: string) => {
		bench.service.override = () => Response.json({ error }, { status });
	};
	return { bench, client, session, strike, tallies, refusing };
}

describe('the hammer', () => {
	test('sends so many calls and no more, and tells of each', async () => {
		const { bench, strike, tallies } = await hammering();
		expect(await strike(10)).toEqual({ sent: 10, answered: 10, refused: 0, silent: 0, brokenOff: 0 });
		expect(bench.service.count('Vell')).toBe(10);
		expect(tallies).toHaveLength(20);
		expect(tallies.at(-1)).toEqual({ sent: 10, answered: 10, refused: 0, silent: 0, brokenOff: 0 });
	});

	test('knows no good manners: nothing is held back, and a reset is not waited for', async () => {
		const { bench, strike } = await hammering();
		bench.service.remaining = 20;
		expect(await strike(60)).toMatchObject({ answered: 20, refused: 40 });
		expect(bench.waited).toEqual([]);
	});

	test.each([
		[404, 'not_found'],
		[403, 'insufficient_scope'],
		[400, 'invalid_request']
	])('a %i, %s, is an answer like any other', async (status, error) => {
		const { strike, refusing } = await hammering();
		refusing(status, error);
		expect(await strike(9)).toMatchObject({ sent: 9, answered: 9 });
	});

	test('ends when it is stopped, and when there is no token to call with', async () => {
		const { bench, client, session, strike } = await hammering();
		const stop = new AbortController();
		bench.service.override = () => {
			stop.abort();
			return undefined;
		};
		expect((await strike(100, stop.signal)).sent).toBeLessThan(5);
		bench.service.override = undefined;
		await client.sessions.end(session.id, 'access_revoked');
		expect(await strike(100)).toMatchObject({ sent: 4, answered: 0 });
	});

	/** What became of the calls, all told. */
	const accounted = ({ answered, refused, silent, brokenOff }: Tally) => answered + refused + silent + brokenOff;

	test('stopped by hand, it tells of the calls under way that they were broken off', async () => {
		const { bench, strike, tallies } = await hammering();
		const stop = new AbortController();
		let calls = 0;
		bench.service.override = () => {
			calls += 1;
			if (calls <= 44) return undefined;
			if (calls === 48) stop.abort();
			return new Promise((_, reject) => {
				const breakOff = () => reject(new DOMException('stopped', 'AbortError'));
				if (stop.signal.aborted) breakOff();
				else stop.signal.addEventListener('abort', breakOff, { once: true });
			});
		};
		const tally = await strike(100, stop.signal);
		expect(tally).toEqual({ sent: 48, answered: 44, refused: 0, silent: 0, brokenOff: 4 });
		expect(tallies.at(-1)).toEqual(tally);
	});

	test('ended by the silence, it counts no call that the breaker kept back', async () => {
		const { bench, client, strike } = await hammering();
		const before = bench.service.requests.length;
		bench.service.silent = true;
		const tally = await strike(100);
		expect(client.breaker.isOpen).toBe(true);
		const calls = bench.service.requests.slice(before).filter(({ url }) => url.pathname !== '/ratelimiting');
		expect(tally.sent).toBe(calls.length);
		expect(accounted(tally)).toBe(tally.sent);
	});

	test.each([
		[500, 'server_error'],
		[401, 'invalid_token']
	])('ended by a %i, it counts each call once', async (status, error) => {
		const { strike, refusing } = await hammering();
		refusing(status, error);
		const tally = await strike(100);
		expect(tally.sent).toBe(4);
		expect(accounted(tally)).toBe(4);
	});
});
