import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pocketCompanion } from '#client/application.ts';
import { exitCodeOf } from '#client/cli/exit-codes.ts';
import { toCliError } from '#client/cli/error-messages.ts';
import { Problem } from '#client/problems.ts';
import { agree, TestCli } from './test-cli.ts';

let machine: TestCli;

beforeEach(() => {
	machine = new TestCli();
});

afterEach(() => machine.discard());

const type = (words: string) => `companion ${words}`;
const failure = (problem: Problem) => toCliError(problem, 'https://service.example', type);

describe('a character', () => {
	const own = { name: 'Mara Vell', race: 'Human', class: 'Ranger', level: 42, guild: 'The Lamplighters' };

	test('of one’s own: which permissions would show more', async () => {
		await machine.run(['login']);
		machine.service.override = () => Response.json(own);
		const { err } = await machine.run(['show', 'Mara', 'Vell']);
		expect(err).toContain('login --scope "character_read location_read inventory_read credits_read"');
		expect(machine.service.requests.at(-1)?.url.pathname).toBe('/ws/v2.0/character/Mara%20Vell');
	});

	test('of somebody else: no permission would show more, and that is said', async () => {
		await machine.run(['login']);
		machine.service.override = () => Response.json({ name: 'Orc' });
		const { err } = await machine.run(['show', 'Orc']);
		expect(err).toContain('Somebody else’s character');
		expect(err).not.toContain('There is more to see');
	});

	test('as data: as the service sent it, with the limit of the answer', async () => {
		await machine.run(['login']);
		const { out } = await machine.run(['show', 'X', '--json']);
		const limit = { limit: 600, remaining: 599, reset: machine.service.reset };
		expect(JSON.parse(out)).toEqual({ character: { name: 'X', race: 'Human' }, limit });
		machine.service.override = () => Response.json({ name: 'X' });
		expect(JSON.parse((await machine.run(['show', 'X', '--json'])).out)).toEqual({
			character: { name: 'X' },
			limit: null
		});
	});

	test('an answer that is none is no character', async () => {
		await machine.run(['login']);
		machine.service.override = () => Response.json({ nothing: true });
		const { code, out } = await machine.run(['show', 'X', '--json']);
		expect(code).toBe(1);
		expect(JSON.parse(out)).toMatchObject({ error: { code: 'unreadable', status: 200 } });
	});
});

test('the limits, as a table and as data', async () => {
	await machine.run(['login']);
	const { reset } = machine.service;
	const record = { pattern: '/ws/v2.0/character/*', limit: 600, remaining: 42, reset, reset_time: 'then' };
	const soon = { ...record, pattern: '/soon', reset: reset - 3501 };
	machine.service.override = () => Response.json({ ratelimits: { ratelimit: [record, soon] } });
	const { out } = await machine.run(['limits']);
	expect(out.split('\n').slice(0, 3)).toEqual([
		'PATTERN               LIMIT  LEFT  RESETS     AT',
		'/ws/v2.0/character/*  600    42    in 60 min  then',
		'/soon                 600    42    in 99 s    then'
	]);
	expect(JSON.parse((await machine.run(['limits', '--json'])).out)).toEqual({ ratelimits: [record, soon] });
});

describe('a sign-in', () => {
	test('as data: what was allowed, for how long, and where it is kept', async () => {
		const { out } = await machine.run(['login', '--json']);
		expect(JSON.parse(out)).toEqual({
			signed_in: true,
			base_url: 'https://service.example',
			permissions: ['character_read'],
			offline: true,
			replaced: false,
			expires: expect.closeTo(machine.service.now() / 1000 + 3920, -1), // `Date` tells whole seconds
			stored_in: expect.stringContaining(machine.home)
		});
	});

	test('takes the place of an earlier one, and says what became of that', async () => {
		await machine.run(['login']);
		const { err } = await machine.run(['login']);
		expect(err).toContain(
			'The earlier sign-in was forgotten here. Its access can be taken away at https://service.example/account'
		);
		await machine.run(['logout']);
		expect((await machine.run(['show', 'X'])).code).toBe(3);
	});

	test.each([
		['another state', 'state=stranger'],
		['two states', 'state=stranger&state=other']
	])('goes on after an answer with %s, and says that one came', async (_, strange) => {
		const openBrowser = (address: string) => {
			const back = new URL(address).searchParams.get('redirect_uri') ?? '';
			void fetch(`${back}/?code=x&${strange}`).then(() => agree(address));
			return Promise.resolve(true);
		};
		const { code, err } = await machine.run(['login'], { openBrowser });
		expect(code).toBe(0);
		expect(err).toContain('An answer came whose state was not made here.');
	});
});

test('a renewal on the way to a character is told', async () => {
	await machine.run(['login']);
	machine.service.expireAll();
	expect((await machine.run(['show', 'X'])).err).toContain('Asking for X … renewing the access token …');
});

test.each([
	['--help', 0, 'out'],
	['show --help', 0, 'out'],
	['-h', 0, 'out'],
	['', 2, 'err']
] as const)('help for “%s”: how it is called, and what its exit codes mean', async (line, code, sink) => {
	const ended = await machine.run(line === '' ? [] : line.split(' '));
	expect(ended.code).toBe(code);
	expect(ended[sink]).toContain('npm run companion --');
	expect(ended[sink]).toContain('EXIT CODES');
	expect(ended[sink === 'out' ? 'err' : 'out']).toBe('');
});

test('what a sign-out came to', async () => {
	expect(JSON.parse((await machine.run(['logout', '--json'])).out)).toEqual({
		signed_in: false,
		access: 'nobody',
		deleted: null
	});
	await machine.run(['login']);
	expect((await machine.run(['logout'])).out).toContain('Signed out. The service ended the access');
	await machine.run(['login']);
	machine.service.revokeAll();
	const { out } = await machine.run(['logout', '--json']);
	const deleted: unknown = expect.stringContaining(machine.home);
	expect(JSON.parse(out)).toEqual({ signed_in: false, access: 'already', deleted });
});

describe('how it ends', () => {
	test.each([
		[1, ['server_error', 'shelf_unwritable', 'anything_else']],
		[2, ['usage', 'plain_http', 'ca_unreadable']],
		[3, ['not_signed_in', 'signed_out', 'session_expired', 'access_revoked', 'refused_again']],
		[4, ['access_denied']],
		[5, ['silence', 'holding', 'blacklisted', 'exchange_unknown', 'renewal_later', 'browser_timeout']],
		[5, ['unreachable', 'untrusted', 'no_tls']],
		[6, ['rate_limit_exceeded']],
		[130, ['stopped']]
	])('with %i', (code, problems) => {
		expect(problems.map(exitCodeOf)).toEqual(problems.map(() => code));
	});

	test('a refusal of the service is told with its section, and in its own words', () => {
		const { section, detail, status } = failure(new Problem('invalid_scope', 'No such scope.', { status: 400 }));
		expect({ section: typeof section, detail, status }).toEqual({
			section: 'string',
			detail: 'No such scope.',
			status: 400
		});
		expect(failure(new Problem('invalid_scope'))).not.toHaveProperty('detail');
	});

	test('what only the program knows is no matter of the specification', () => {
		const told = failure(new Problem('shelf_unwritable', '/home/me'));
		expect(told).not.toHaveProperty('section');
		expect(told).not.toHaveProperty('detail');
		expect(told.why).toContain('/home/me');
	});

	test('the next step is something to type, or a time to wait for', () => {
		expect(failure(new Problem('access_revoked')).next).toBe('Sign in again: companion login');
		const until = Date.UTC(2026, 10, 21, 13, 0, 0, 250);
		const { next } = failure(new Problem('rate_limit_exceeded', '', { until }));
		expect(next).toBe('Try again after 2026-11-21T13:00:00Z by the clock of the service.');
		expect(failure(new Problem('rate_limit_exceeded')).next).toBe('Wait a moment, then try again.');
		expect(failure(new Problem('silence')).next).toContain('https://service.example/support');
		expect(failure(new Problem('invalid_client')).next).toContain(pocketCompanion('').name);
	});

	test.each([
		['ENOTFOUND', 'unreachable'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'no_tls'],
		['EPROTO', 'no_tls'],
		['ETIMEDOUT', 'silence'],
		['not-a-code', 'silence']
	])('a connection that fails with %s, for either of two addresses: %s', (code, expected) => {
		const fault = Object.assign(new Error(code), { code });
		const both = new TypeError('fetch failed', { cause: new AggregateError([fault, fault]) });
		expect(failure(new Problem('silence', '', { cause: both })).code).toBe(expected);
		expect(failure(new Problem('access_denied', '', { cause: both })).code).toBe('access_denied');
	});
});
