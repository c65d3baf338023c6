import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBuilds } from '../run/builds.js';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const client = fileURLToPath(new URL('../run/built-cli.js', import.meta.url));
const url = /https:\/\/localhost:\d+\S*\/ws\/oauth2\/auth\/\?\S+/;

/** A command under way. */
type Running = {
	readonly child: ChildProcess;
	/** Waits until standard error has a match. */
	readonly stderr: (pattern: RegExp) => Promise<string>;
	readonly ended: Promise<{ code: number | null; out: string; err: string }>;
};

/** Starts a command of the built client. */
function run(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Running {
	const child = spawn(process.execPath, [client, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
	let [out, err] = ['', ''];
	child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
	const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
		child.once('close', (code) => resolve({ code, out, err }));
	});
	const stderr = async (pattern: RegExp) => {
		await expect.poll(() => err).toMatch(pattern);
		return pattern.exec(err)?.[0] ?? '';
	};
	return { child, stderr, ended };
}

test.beforeAll(() => makeBuilds('cli'));

test(
	'login opens the browser, show reads a character, logout revokes access',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		const home = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));
		mkdirSync(join(home, 'data', 'tls'), { recursive: true });
		writeFileSync(join(home, 'data', 'tls', 'ca.pem'), server.authority);
		// Replaces the system's browser and stores the URL that it is started with.
		const browser = join(home, 'browser.sh');
		const opened = join(home, 'opened');
		writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o700 });
		const env = {
			PATH: process.env.PATH,
			HOME: home,
			XDG_CONFIG_HOME: home,
			DATA_DIR: join(home, 'data'),
			TOLLGATE_URL: server.origin,
			BROWSER: browser
		};

		const login = run(['login'], env);
		const printed = await login.stderr(url);
		await expect.poll(() => (existsSync(opened) ? readFileSync(opened, 'utf8') : '')).toBe(printed);
		await page.goto(printed);
		await page.getByRole('button', { name: 'player-one' }).click();
		await page.locator('button[value=approve]').click();
		await expect(page.getByRole('heading', { name: 'You’re signed in' })).toBeVisible();
		expect(page.url()).toMatch(/^http:\/\/localhost:\d+\/signed-in$/);
		await expectAccessible(page);
		const signedIn = await login.ended;
		expect(signedIn.code, signedIn.err).toBe(0);
		expect(signedIn.out).toContain('Signed in. Permissions: character_read.');

		const show = await run(['show', 'Mara', 'Vell', '--json'], env).ended;
		expect(show.code, show.err).toBe(0);
		expect(JSON.parse(show.out)).toMatchObject({ character: { name: 'Mara Vell' } });
		expect(show.out + show.err).not.toContain('\u001b');

		const logout = await run(['logout'], env).ended;
		expect(logout.out).toBe('Signed out. Access is revoked and the tokens are deleted.\n');
		expect(readdirSync(join(home, 'tollgate', 'companion'))).toEqual([]);

		const interrupted = run(['login'], { ...env, BROWSER: 'none' });
		await interrupted.stderr(/Open this URL/);
		interrupted.child.kill('SIGINT');
		expect((await interrupted.ended).code).toBe(130);
		rmSync(home, { recursive: true, force: true });
	}
);
