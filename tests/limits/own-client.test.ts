import { expect, it } from 'vitest';
import { ownFinding, type OwnClient, type OwnRequest } from '#limits/own-client.ts';

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
