import { describe, expect, test } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { newestOfUser, stripLine } from '#features/inspector/strip/strip-text.ts';
import { logged } from './logged-exchange.ts';

const at = 1_795_000_000_000;
const tokens = logged({
	id: 'tokens',
	at,
	username: 'player-one',
	trace: [
		{ id: 'token.code_exchanged', name: 'Exchanged', section: '3.1', outcome: 'responded', detail: '', duration_us: 1 }
	],
	credentials: [
		{
			type: 'issued',
			kind: 'access_token',
			id: 'access token 1',
			grant: 'grant 1',
			scopes: [],
			expires: at + 3_600_000
		}
	]
});
const read = (seconds: number, more: Partial<TrafficEntry> = {}): TrafficEntry =>
	logged({
		id: `read after ${seconds} s`,
		endpoint: 'ratelimits',
		at: at + seconds * 1000,
		request: { method: 'GET', target: '/~blue-1/ws/v2.0/ratelimits', headers: [], body: '' },
		...more
	});

describe('the strip shows', () => {
	const shown = (...entries: readonly TrafficEntry[]) => newestOfUser(entries)?.id;

	test('nothing without a request', () => {
		expect(shown()).toBeUndefined();
	});

	test('the tokens of a sign-in, while the client automatically reads its limits', () => {
		expect(shown(tokens)).toBe('tokens');
		expect(shown(tokens, read(0.1))).toBe('tokens');
		expect(shown(tokens, read(0.1), read(4, { endpoint: 'userinfo' }))).toBe('tokens');
	});

	test('the limits that are read later, or after another request', () => {
		expect(shown(tokens, read(6))).toBe('read after 6 s');
		expect(shown(logged({ id: 'rejected', at }), read(1))).toBe('read after 1 s');
		expect(shown(read(1))).toBe('read after 1 s');
	});

	test('a rejected read of the limits, and what the user does next', () => {
		expect(shown(tokens, read(1, { response: { status: 401, headers: [], body: '' } }))).toBe('read after 1 s');
		expect(shown(tokens, read(1), logged({ id: 'lookup', endpoint: 'character', at: at + 2000 }))).toBe('lookup');
	});

	test('no control request of a visitor without the key', () => {
		const rejected = (cause: string) => {
			const line = { id: 'control.access_granted', name: '', section: '', detail: '', duration_us: 1, cause };
			return logged({ id: cause, at: at + 9000, endpoint: 'control', trace: [{ ...line, outcome: 'failed' }] });
		};
		expect(shown(tokens, rejected('key_missing'), rejected('key_missing'))).toBe('tokens');
		expect(shown(rejected('key_missing'))).toBeUndefined();
		expect(shown(tokens, rejected('key_wrong')), 'a client of the owner may have it').toBe('key_wrong');
	});
});

test('a line has the path without its sandbox, the result, the user, and its neighbors', () => {
	const entries = [tokens, read(1)];
	const inspector = { entries, nameOf: () => 'Character Viewer' };
	expect(stripLine(inspector, tokens, 'character')).toEqual({
		id: 'tokens',
		status: 200,
		method: 'POST',
		path: '/ws/oauth2/token/',
		shortPath: 'token',
		kind: 'accepted',
		outcome: 'Tokens issued',
		passed: '1 check passed',
		who: ['Character Viewer', 'player-one'],
		at,
		previous: undefined,
		next: 'read after 1 s'
	});
	const gone = read(2, { response: null });
	expect(stripLine(inspector, gone, 'character')).toMatchObject({
		status: null,
		path: '/ws/v2.0/ratelimits',
		kind: 'no_response',
		passed: undefined,
		previous: undefined,
		next: undefined
	});
});
