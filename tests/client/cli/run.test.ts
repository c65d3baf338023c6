import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agree, TestCli } from './test-cli.ts';

let machine: TestCli;

beforeEach(() => {
	machine = new TestCli();
});

afterEach(() => machine.discard());

describe('the command line', () => {
	test('login, show, limits and logout', async () => {
		const login = await machine.run(['login']);
		expect(login.err).toContain('Your browser should open.');
		expect(login).toMatchObject({ code: 0, out: expect.stringContaining('Signed in. Allowed: character_read.') });
		expect(machine.service.requests[0]?.form.get('access_type')).toBe('offline');
		const show = await machine.run(['show', 'Half/Life']);
		expect(show).toMatchObject({ code: 0, out: 'Half/Life\n  race         Human\n' });
		expect(show.err).toContain('599 of 600 calls left, reset in 60 min');
		expect((await machine.run(['logout'])).code).toBe(0);
		expect(machine.service.count('/revoke')).toBe(1);
		expect(readdirSync(join(machine.home, 'tollgate', 'companion'))).toEqual([]);
	});

	test('an expired token is renewed once, by two processes at once', async () => {
		await machine.run(['login']);
		machine.service.expireAll();
		const both = await Promise.all([machine.run(['show', 'One']), machine.run(['show', 'Two'])]);
		expect(both.map(({ code }) => code)).toEqual([0, 0]);
		const refreshes = machine.service.requests.filter(({ form }) => form.get('grant_type') === 'refresh_token');
		expect(refreshes).toHaveLength(1);
	});

	test.each([
		['nobody is signed in', 3, 'not_signed_in', () => undefined, ['show', 'X']],
		['the access is revoked', 3, 'access_revoked', () => machine.service.revokeAll(), ['show', 'X']],
		['the budget is used up', 6, 'rate_limit_exceeded', () => (machine.service.remaining = 0), ['show', 'X']],
		['the service is silent', 5, 'silence', () => (machine.service.silent = true), ['show', 'X']],
		['the service is silent at logout', 5, 'silence', () => (machine.service.silent = true), ['logout']]
	])('%s', async (what, code, error, happen, words) => {
		if (what !== 'nobody is signed in') await machine.run(['login']);
		happen();
		const ended = await machine.run([...words, '--json']);
		expect(ended.code).toBe(code);
		expect(JSON.parse(ended.out)).toMatchObject({ error: { code: error } });
		expect(ended.err).toMatch(/✗ .+\n {2}.+\n/);
	});

	test('what to type next works as it stands: with the same service, and the same authority', async () => {
		const ca = join(machine.home, 'my ca.pem');
		writeFileSync(ca, '-----BEGIN CERTIFICATE-----');
		const { err } = await machine.run(['show', 'X', '--ca', ca]);
		expect(err).toContain(`login --base-url ${machine.service.base_url} --ca "${ca}"\n`);
		const missing = await machine.run(['show', 'X', '--ca', join(machine.home, 'none.pem')]);
		expect(missing.code).toBe(2);
		expect(missing.err).toContain('none.pem is missing, or holds no certificate.');
	});

	test('a blacklisted machine is told so, with the way to a ticket', async () => {
		await machine.run(['login']);
		machine.service.silent = true;
		machine.service.standing = { state: 'blacklisted', reason: '100 refused calls' };
		const { code, err } = await machine.run(['show', 'X']);
		expect(code).toBe(5);
		expect(err).toContain('This machine is blacklisted');
		expect(err).toContain('100 refused calls');
		expect(err).toContain('https://service.example/support');
	});

	test('a connection that does not come about is not called silence', async () => {
		await machine.run(['login']);
		const failing = (code: string) => () => () => Promise.reject(Object.assign(new Error(code), { code }));
		const codeOf = async (code: string) => (await machine.run(['show', 'X', '--json'], { fetch: failing(code) })).out;
		expect(await codeOf('ECONNREFUSED')).toContain('"code":"unreachable"');
		expect(await codeOf('SELF_SIGNED_CERT_IN_CHAIN')).toContain('"code":"untrusted"');
		expect(await codeOf('ECONNRESET')).toContain('"code":"silence"');
	});

	test('the browser does not answer in time; Ctrl-C', async () => {
		const openBrowser = () => Promise.resolve(false);
		const late = await machine.run(['login'], { openBrowser, timeout: () => AbortSignal.abort() });
		expect(late).toMatchObject({ code: 5, out: '' });
		expect(late.err).toContain('No answer from the browser');
		const stopped = await machine.run(['login'], { openBrowser, interrupted: AbortSignal.abort() });
		expect(stopped.code).toBe(130);
	});

	test.each([
		['that grants', 'code=code-1', '/signed-in', 0, 'Signed in.'],
		['that refuses', 'error=access_denied', '/not-signed-in', 4, '✗ You did not agree']
	])('a browser with an answer %s, faster than its opener: it is taken', async (_, answer, page, code, told) => {
		let shown = '';
		const openBrowser = async (address: string) => {
			const query = new URL(address).searchParams;
			const back = `${query.get('redirect_uri') ?? ''}/?${answer}&state=${query.get('state') ?? ''}`;
			shown = new URL((await fetch(back)).url).pathname;
			return true;
		};
		const login = await machine.run(['login'], { openBrowser });
		expect({ code: login.code, shown }).toEqual({ code, shown: page });
		expect(login.out + login.err).toContain(told);
	});

	test.each([
		['its folder', 'tollgate/companion'],
		['a folder above it', 'tollgate']
	])('a file where %s should be: said before anybody is asked to agree', async (_, place) => {
		mkdirSync(dirname(join(machine.home, place)), { recursive: true });
		writeFileSync(join(machine.home, place), 'in the way');
		let opened = 0;
		const openBrowser = (address: string) => agree(address).finally(() => (opened += 1));
		const { code, out, err } = await machine.run(['login'], { openBrowser });
		expect({ code, out, opened }).toEqual({ code: 1, out: '', opened: 0 });
		expect(err).toContain('✗ The tokens cannot be stored\n');
		expect(err).toContain(
			`The folder ${join(machine.home, 'tollgate', 'companion')} cannot be written to: a file stands in its way.`
		);
		expect(err).toContain('name another folder in XDG_CONFIG_HOME');
		expect(machine.service.requests).toEqual([]);
		expect((await machine.run(['show', 'X'])).err).toContain('Nobody is signed in');
	});

	test('a folder that is taken away during the sign-in: the tokens are not said to be stored', async () => {
		const openBrowser = (address: string) => {
			rmSync(join(machine.home, 'tollgate'), { recursive: true });
			writeFileSync(join(machine.home, 'tollgate'), 'in the way');
			return agree(address);
		};
		const { out, err } = await machine.run(['login'], { openBrowser });
		expect(out).toBe('');
		expect(err).toContain('✗ The tokens cannot be stored\n');
	});

	test('control characters of a service never reach the terminal', async () => {
		await machine.run(['login']);
		const body = { name: 'X\u001b[2J\u202e', race: '\u0007beep' };
		machine.service.override = () => Response.json(body);
		const { out } = await machine.run(['show', 'X']);
		expect(out).toBe('X [2J\n  race         beep\n');
	});

	test('a terminal gets a moving line and emphasis, unless NO_COLOR', async () => {
		await machine.run(['login']);
		const lively = await machine.run(['show', 'X'], {}, true);
		expect(lively.err).toContain('\r\u001b[2K⠙ Asking for X …');
		expect(lively.out).toContain('\u001b[1mX\u001b[22m');
		const env = { XDG_CONFIG_HOME: machine.home, TOLLGATE_URL: machine.service.base_url, NO_COLOR: '1' };
		expect((await machine.run(['show', 'X'], { env }, true)).out).not.toContain('\u001b');
	});
});
