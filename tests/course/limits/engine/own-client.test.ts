import { afterEach, expect, it, vi } from 'vitest';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';
import { ownClientOf, ownFinding, type OwnClient, type OwnRequest } from '#course/limits/engine/own-client.ts';
import { openLesson } from '../../lessons/lesson-sandbox.ts';

afterEach(() => vi.unstubAllGlobals());

const client = (requests: readonly OwnRequest[]): OwnClient => ({
	address: '127.0.0.1',
	agent: 'node',
	latest: 'id',
	header: 'Retry-After',
	requests
});
const accepted = (at: number): OwnRequest => ({ at, outcome: 'accepted', reset: undefined });
const rejected = (at: number, reset = 60_000): OwnRequest => ({ at, outcome: 'rejected', reset });

it('finds that a client retries at an interval, whatever the response says', () => {
	const requests = [accepted(0), ...Array.from({ length: 8 }, (_, index) => rejected(5000 * (index + 1)))];
	expect(ownFinding(client(requests))).toMatchObject({
		isWrong: true,
		title: 'It ignores Retry-After',
		text: 'It retries every 5 s. 8 of its 9 requests were rejected, and each one counted toward the blacklist.'
	});
});

it('finds that a client returns at the reset, with all others', () => {
	expect(ownFinding(client([accepted(0), rejected(100), accepted(60_200)]))).toMatchObject({
		isWrong: true,
		title: 'It returns at the reset'
	});
});

it.each([
	['It has not reached the limit', [accepted(0)]],
	['It waits', [accepted(0), rejected(100)]],
	['It waits for the reset', [accepted(0), rejected(100), accepted(75_000)]]
])('finds no mistake: %s', (title, requests) => {
	expect(ownFinding(client(requests))).toMatchObject({ isWrong: false, title });
});

it('says that an address is blacklisted', () => {
	const requests: OwnRequest[] = [rejected(0), { at: 100, outcome: 'blacklisted', reset: undefined }];
	expect(ownFinding(client(requests)).title).toBe('Its address is blacklisted');
});

/** A sandbox with a limit of 3 in a minute, a program that reads characters, and what the log says of it. */
async function openLog() {
	const { client, evidence } = await openLesson({ start: { settings: { limits: { character: 3, window: 60 } } } });
	const token = (await client.signIn()).field('access_token');
	const read = (headers: Readonly<Record<string, string>>) =>
		client.send(`${client.baseUrl}/ws/v2.0/character/Mara%20Vell`, {
			headers: { authorization: `OAuth ${token}`, ...headers }
		});
	return { client, read, own: async () => ownClientOf((await evidence()).entries) };
}

const advance = ({ control }: ScriptedClient, seconds: number) =>
	control.request('POST /control/clock', { body: { advance: seconds } });

it('reads the requests of a program, its rejections and their resets from the log', async () => {
	const { client, read, own } = await openLog();
	expect(await own()).toBeUndefined();
	for (let call = 0; call < 4; call++) {
		await read({ 'user-agent': 'my-bot/1.0 (test)' });
		await advance(client, 10);
	}
	const found = await own();
	expect(found).toMatchObject({ address: '127.0.0.1', agent: 'my-bot', header: 'X-RateLimit-Reset' });
	expect(found?.requests).toEqual([
		{ at: 0, outcome: 'accepted', reset: undefined },
		{ at: 10_000, outcome: 'accepted', reset: undefined },
		{ at: 20_000, outcome: 'accepted', reset: undefined },
		{ at: 30_000, outcome: 'rejected', reset: 60_000 }
	]);
});

it('leaves out pages of the service and other programs, and begins again after ten minutes', async () => {
	const { client, read, own } = await openLog();
	await read({ 'user-agent': 'other/2' });
	await read({ 'user-agent': 'mine/1' });
	await advance(client, 601);
	await read({ 'user-agent': 'mine/1' });
	await read({ 'user-agent': 'mine/1', 'x-tollgate-address': '192.0.2.9' });
	await read({ 'user-agent': 'browser', 'sec-fetch-site': 'same-origin' });
	expect(await own()).toMatchObject({ agent: 'mine', address: '192.0.2.9', requests: [{ at: 0 }] });
	await read({ 'user-agent': 'mine/1' });
	expect((await own())?.requests).toHaveLength(2);
});
