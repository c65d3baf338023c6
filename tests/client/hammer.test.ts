import { describe, expect, test } from 'vitest';
import { hammer, type Tally } from '#client/manners/hammer.ts';
import { characterCall, Workbench } from './workbench.ts';

const never = new AbortController().signal;

async function hammering(offline = true) {
	const bench = new Workbench();
	bench.service.offline = offline;
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
		const tally = await strike(10);
		expect(tally).toMatchObject({ sent: 10, accepted: 10, reason: undefined });
		expect(accounted(tally)).toBe(10);
		expect(bench.service.count('Vell')).toBe(10);
		expect(tallies).toHaveLength(20);
		expect(tallies.at(-1)).toEqual(tally);
	});

	test('knows no good manners: nothing is held back, and a reset is not waited for', async () => {
		const { bench, strike } = await hammering();
		bench.service.remaining = 20;
		expect(await strike(60)).toMatchObject({ accepted: 20, overLimit: 40, refused: 0, reason: undefined });
		expect(bench.waited).toEqual([]);
	});

	test.each([
		[404, 'not_found'],
		[403, 'insufficient_scope'],
		[400, 'invalid_request']
	])('a %i, %s, is a refusal of its own kind, told with its reason, and no end', async (status, error) => {
		const { strike, refusing } = await hammering();
		refusing(status, error);
		expect(await strike(9)).toMatchObject({ sent: 9, accepted: 0, overLimit: 0, refused: 9, reason: { code: error } });
	});

	test.each([
		['that cannot be renewed', false, 'session_expired', 4],
		['whose successors are no better', true, 'refused_again', 8]
	])('a token %s: every call was refused, which ends it', async (_, offline, reason, refused) => {
		const { bench, strike } = await hammering(offline);
		const before = bench.service.count('Vell');
		bench.service.override = ({ url }) =>
			url.pathname.includes('token') ? undefined : Response.json({ error: 'invalid_token' }, { status: 401 });
		const tally = await strike(100);
		expect(tally).toMatchObject({ sent: refused, accepted: 0, refused, brokenOff: 0, reason: { code: reason } });
		expect(bench.service.count('Vell') - before).toBe(refused);
	});

	test('a token that is renewed under way: the call that it was refused for is told, and the one that was made again', async () => {
		const { bench, strike } = await hammering();
		bench.service.expireAll();
		const tally = await strike(20);
		expect(tally).toMatchObject({ accepted: 20, refused: 4, sent: 24, reason: undefined });
		expect(bench.service.count('Vell')).toBe(24);
	});

	test('without any token nothing is sent, and the reason is told', async () => {
		const { bench, client, session, strike } = await hammering();
		await client.sessions.end(session.id, 'access_revoked');
		expect(await strike(100)).toMatchObject({ sent: 0, reason: { code: 'access_revoked' } });
		expect(bench.service.count('Vell')).toBe(0);
	});

	/** What became of the calls, all told. */
	const accounted = ({ accepted, overLimit, refused, silent, brokenOff }: Tally) =>
		accepted + overLimit + refused + silent + brokenOff;

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
		expect(tally).toMatchObject({ sent: 48, accepted: 44, brokenOff: 4, reason: undefined });
		expect(accounted(tally)).toBe(48);
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
		expect(tally).toMatchObject({ silent: tally.sent, reason: undefined });
	});

	test('a fault of the service ends it; each call is counted once', async () => {
		const { strike, refusing } = await hammering();
		refusing(500, 'server_error');
		expect(await strike(100)).toMatchObject({ sent: 4, refused: 4, reason: { code: 'server_error', status: 500 } });
	});
});
