import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { testCertificate } from '../hosts/certificate.ts';
import { temporaryFolder } from '../hosts/temporary-folder.ts';
import { canRun, installPackages } from '../run/debian.js';
import { builtHost, startServer } from '../run/server.js';
import { freePort } from './free-port.ts';

// A class behind one address signs in at the same instant, also through the proxies of src/deploy.

const students = 60;
const deploy = (name: string) => readFileSync(join(import.meta.dirname, '../../src/deploy', name), 'utf8');

beforeAll(async () => {
	if (!canRun('nginx', '-v') || !canRun('caddy', 'version')) await installPackages('nginx', 'caddy');
}, 300_000);

it('plain, with the default settings', async () => {
	const port = await freePort();
	await start(port, { ORIGIN: `https://localhost:${port}` });
	expect(await signInAtOnce(port)).toEqual(allSignedIn);
});

it('behind nginx, with the supplied configuration', async () => {
	const [port, upstream, folder] = [await freePort(), await freePort(), await temporaryFolder()];
	await start(upstream, behindProxy(port));
	const { certificate } = await testCertificate();
	await writeFile(join(folder, 'fullchain.pem'), certificate.cert);
	await writeFile(join(folder, 'privkey.pem'), certificate.key);
	const site = replaced(deploy('nginx.conf'), [
		['127.0.0.1:8080', `127.0.0.1:${upstream}`],
		['listen 443', `listen 127.0.0.1:${port}`],
		['server_name tollgate.example', 'server_name localhost'],
		['/etc/nginx/tollgate/', `${folder}/`]
	]);
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(name) => `${name}_temp_path ${folder}/${name};`
	);
	const main = `daemon off; pid ${folder}/pid; error_log stderr; user root; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${site}\n}`;
	await writeFile(join(folder, 'nginx.conf'), main);
	run('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]);
	await untilReady(port);
	expect(await signInAtOnce(port)).toEqual(allSignedIn);
});

it('behind Caddy, with the supplied configuration', async () => {
	const [port, upstream, management, folder] = [
		await freePort(),
		await freePort(),
		await freePort(),
		await temporaryFolder()
	] as const;
	await start(upstream, { ...behindProxy(port), MANAGEMENT_PORT: `${management}` });
	const file = replaced(deploy('Caddyfile'), [
		// No certificate of this test becomes one that the machine trusts.
		['auto_https disable_redirects', 'auto_https disable_redirects\n\tskip_install_trust\n\tadmin off']
	]);
	await writeFile(join(folder, 'Caddyfile'), file);
	run('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
		SITE: `https://localhost:${port}`,
		UPSTREAMS: `127.0.0.1:${upstream}`,
		HEALTH_PORT: `${management}`,
		HOME: folder,
		XDG_DATA_HOME: folder,
		XDG_CONFIG_HOME: folder
	});
	await untilReady(port);
	expect(await signInAtOnce(port)).toEqual(allSignedIn);
});

const allSignedIn = Array.from({ length: students }, () => 'code');

/** Each student has a browser: opens the sign-in page, sends the password at the same instant as all others, and allows access. */
async function signInAtOnce(port: number): Promise<string[]> {
	const origin = `https://localhost:${port}`;
	const redirect_uri = encodeURIComponent(`${origin}/viewer/callback`);
	const query = `response_type=code&client_id=character-viewer&redirect_uri=${redirect_uri}&scope=character_read`;
	const auth = '/ws/oauth2/auth/';
	const interactionOf = ({ body }: Response) => /name="interaction" value="([^"]+)"/.exec(body)?.[1] ?? '';
	const pages = await Promise.all(allSignedIn.map(() => send(port, 'GET', `${auth}?${query}`)));
	return Promise.all(
		pages.map(async (page) => {
			const form = `interaction=${interactionOf(page)}&username=player-one&password=demo`;
			const signedIn = await send(port, 'POST', auth, '', form);
			if (signedIn.location === undefined) return `${signedIn.status} ${signedIn.body.slice(0, 100)}`;
			const consent = await send(port, 'GET', signedIn.location.slice(origin.length), signedIn.cookie);
			if (consent.location !== undefined) return outcomeOf(consent);
			return outcomeOf(
				await send(port, 'POST', auth, signedIn.cookie, `interaction=${interactionOf(consent)}&decision=approve`)
			);
		})
	);
}

function outcomeOf({ location, status, body }: Response): string {
	return location?.includes('?code=') === true ? 'code' : `${status} ${location ?? body.slice(0, 100)}`;
}

type Response = {
	readonly status: number;
	readonly location: string | undefined;
	readonly cookie: string;
	readonly body: string;
};

/** Sends a request on its own connection. */
function send(port: number, method: string, path: string, cookie = '', form = ''): Promise<Response> {
	return new Promise((resolve, reject) => {
		const headers = {
			Accept: 'text/html',
			'Content-Length': Buffer.byteLength(form),
			...(cookie === '' ? {} : { Cookie: cookie }),
			...(form === '' ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' })
		};
		const options = { host: 'localhost', port, path, method, headers, rejectUnauthorized: false, agent: false };
		const sent = request({ ...options, family: 4 }, (response) => {
			let body = '';
			response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
			response.once('end', () =>
				resolve({
					status: response.statusCode ?? 0,
					location: response.headers.location,
					body,
					cookie: (response.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ')
				})
			);
		});
		sent.once('error', reject);
		sent.end(form);
	});
}

async function start(port: number, settings: Record<string, string>): Promise<void> {
	const DATA_DIR = await temporaryFolder();
	const server = await startServer([process.execPath, builtHost], {
		HOST: '127.0.0.1',
		PORT: `${port}`,
		DATA_DIR,
		...settings
	});
	onTestFinished(() => server.close());
}

const behindProxy = (port: number) => ({
	PLAIN_HTTP: 'on',
	TRUSTED_PROXIES: '1',
	ADMIN_KEY: 'an-admin-key-for-this-test',
	ORIGIN: `https://localhost:${port}`
});

/** Starts a proxy until the test has ended. */
function run(program: string, words: readonly string[], env: Record<string, string> = {}): ChildProcess {
	const child = spawn(program, words, { stdio: 'inherit', env: { ...process.env, ...env } });
	onTestFinished(
		() =>
			new Promise<void>((resolve) => {
				if (child.exitCode !== null) resolve();
				child.once('exit', () => resolve());
				child.kill('SIGTERM');
			})
	);
	return child;
}

async function untilReady(port: number): Promise<void> {
	const status = () =>
		send(port, 'GET', '/control/health').then(
			(response) => response.status,
			() => 0
		);
	await expect.poll(status, { timeout: 20_000 }).toBe(200);
}

function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
	for (const [from] of changes) expect(text).toContain(from);
	return changes.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}
