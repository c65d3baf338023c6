import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { setUp } from './test-cli.ts';

const at = setUp();

describe('login', () => {
	test('signs in with PKCE and stores a refresh token that only the owner can read', async () => {
		let asked = new URLSearchParams();
		const openBrowser = (url: string) => {
			asked = new URL(url).searchParams;
			return at.cli.browser(url);
		};
		const { code, out, err } = await at.cli.run(['login', '--scope', 'location_read, character_read'], { openBrowser });
		expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('Your browser should open.') });
		expect(asked.get('redirect_uri')).toMatch(/^http:\/\/localhost:\d+$/);
		expect(asked.get('code_challenge_method')).toBe('S256');
		expect(asked.has('access_type')).toBe(false);
		const [file = ''] = at.cli.files();
		expect(out).toBe(`Signed in. Permissions: character_read, location_read.\nRefresh token stored in ${file}\n`);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
		expect(at.cli.credentials()).not.toContain(asked.get('state'));
	});

	test('--json writes scope, expiry and file', async () => {
		const { data } = await at.cli.json(['login']);
		expect(data).toEqual({
			signed_in: true,
			base_url: at.sandbox.base_url,
			scope: ['character_read'],
			offline: true,
			replaced: false,
			expires_at: expect.closeTo(Date.now() / 1000 + 3920, -2),
			stored_in: at.cli.files()[0]
		});
	});

	test('--online stores no refresh token', async () => {
		expect(await at.cli.json(['login', '--online'])).toMatchObject({ code: 0, data: { offline: false } });
		expect(at.cli.credentials()).toContain('"refresh_token": null');
	});

	test('--no-open only prints the URL', async () => {
		const { err, code } = await at.cli.run(['login', '--no-open', '--timeout', '0.01']);
		expect(err).toContain(`Open this URL:\n\n${at.sandbox.base_url}/ws/oauth2/auth/?`);
		expect({ code, opened: at.cli.opened }).toEqual({ code: 5, opened: 0 });
	});

	test('replaces the tokens of an earlier sign-in', async () => {
		await at.cli.run(['login']);
		const before = at.cli.credentials();
		const { out, err } = await at.cli.run(['login', '--json']);
		expect(JSON.parse(out)).toMatchObject({ replaced: true });
		expect(err).toContain(`To revoke its access, open ${at.sandbox.base_url}/account`);
		expect(at.cli.credentials()).not.toBe(before);
		expect(at.cli.credentials().match(/"refresh_token"/g)).toHaveLength(1);
		expect((await at.cli.run(['show', 'Mara', 'Vell'])).code).toBe(0);
	});

	test('exits with 4 if the user denies access, and stores nothing', async () => {
		const { code, out, err } = await at.cli.run(['login'], { openBrowser: (url) => at.cli.browser(url, 'deny') });
		expect({ code, out }).toEqual({ code: 4, out: '' });
		expect(err).toMatch(/✗ .+\n {2}.+\(section 7\)\n/);
		expect(at.cli.files()).toEqual([]);
	});

	test('reports an error code that it does not know', async () => {
		const openBrowser = async (url: string) => {
			const { searchParams } = new URL(url);
			const state = searchParams.get('state') ?? '';
			await fetch(`${searchParams.get('redirect_uri') ?? ''}/?error=constructor&state=${state}`);
			return true;
		};
		const { code, err } = await at.cli.run(['login'], { openBrowser });
		expect(code).toBe(1);
		expect(err).toContain('✗ The service rejected the request\n');
	});

	test.each([
		['an unknown state', 'code=stolen&state=unknown'],
		['no state', 'code=stolen'],
		['two states', 'code=stolen&state=one&state=two'],
		['an error without state', 'error=access_denied']
	])('rejects a response with %s and keeps waiting', async (_, query) => {
		let status = 0;
		const openBrowser = async (url: string) => {
			const redirect_uri = new URL(url).searchParams.get('redirect_uri') ?? '';
			({ status } = await fetch(`${redirect_uri}/?${query}`));
			return at.cli.browser(url);
		};
		const { code, err } = await at.cli.run(['login'], { openBrowser });
		expect({ code, status }).toEqual({ code: 0, status: 400 });
		expect(err).toContain('Rejected a response with an unknown state. Still waiting for the browser.\n');
		expect((await at.sandbox.traffic()).match(/"endpoint":"token"/g)).toHaveLength(1);
	});

	test('never sends a code twice if the service does not respond', async () => {
		await at.sandbox.controlled('POST', 'faults', { endpoint: 'token', kind: 'drop', times: 5 });
		expect(await at.cli.json(['login'])).toMatchObject({ code: 5, data: { error: { code: 'exchange_unknown' } } });
		expect((await at.sandbox.traffic()).match(/"endpoint":"token"/g)).toHaveLength(1);
	});

	test('exits with 5 if the browser does not return in time', async () => {
		const { code, err } = await at.cli.run(['login', '--timeout', '0.01'], {
			openBrowser: () => Promise.resolve(false)
		});
		expect(code).toBe(5);
		expect(err).toContain('✗ No response from the browser\n');
		expect(at.cli.files()).toEqual([]);
	});

	test('exits with 130 on Ctrl-C and stops listening', async () => {
		const interrupt = new AbortController();
		let listener = '';
		const openBrowser = (url: string) => {
			listener = new URL(url).searchParams.get('redirect_uri') ?? '';
			interrupt.abort();
			return Promise.resolve(true);
		};
		const { code } = await at.cli.run(['login'], { openBrowser, interrupted: interrupt.signal });
		expect(code).toBe(130);
		await expect(fetch(listener)).rejects.toThrow();
	});

	test.each([
		['its folder', 'tollgate/companion'],
		['a parent folder', 'tollgate']
	])('reports a file in place of %s before the browser opens', async (_, path) => {
		mkdirSync(dirname(join(at.cli.home, path)), { recursive: true });
		writeFileSync(join(at.cli.home, path), 'a file');
		const { code, err } = await at.cli.run(['login']);
		expect({ code, opened: at.cli.opened }).toEqual({ code: 1, opened: 0 });
		expect(err).toContain('✗ Can’t store the tokens\n');
		expect(err).toContain('set XDG_CONFIG_HOME to another folder');
	});

	test('does not report success if the tokens cannot be stored in the end', async () => {
		const openBrowser = (url: string) => {
			rmSync(join(at.cli.home, 'tollgate'), { recursive: true });
			writeFileSync(join(at.cli.home, 'tollgate'), 'a file');
			return at.cli.browser(url);
		};
		const { code, out, err } = await at.cli.run(['login'], { openBrowser });
		expect({ code, out }).toEqual({ code: 1, out: '' });
		expect(err).toContain('✗ Can’t store the tokens\n');
	});
});
