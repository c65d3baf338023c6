import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority, createCertificate } from '#hosts/tls/create-certificate.server.ts';
import { head, openWire } from '../raw-connection.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { serve } from './serve.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs `npm start` or its script with some settings; the certificate goes to its own folder. */
async function start(settings: Record<string, string>, program = process.execPath, args = ['src/tooling/start.js']) {
	const data = await temporaryFolder();
	const child = spawn(program, args, {
		cwd: root,
		detached: true,
		env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: data, ...settings }
	});
	let printed = '';
	const read = (text: Buffer) => (printed += text.toString());
	child.stdout.on('data', read);
	child.stderr.on('data', read);
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	onTestFinished(() => {
		try {
			process.kill(-(child.pid ?? 0), 'SIGKILL'); // npm and the server
		} catch {
			// All of them have ended.
		}
	});
	return { child, data, ended, printed: () => printed };
}

/** Starts, and waits until it listens. */
async function listening(settings: Record<string, string> = {}, ...command: [program?: string, args?: string[]]) {
	const run = await start(settings, ...command);
	await expect.poll(run.printed, { interval: 10, timeout: 60_000 }).toMatch(/Ctrl\+C/);
	const origin = /https:\/\/[^\s/]+/.exec(run.printed())?.[0] ?? '';
	return { ...run, origin, port: Number(new URL(origin).port) };
}

test('a start prints where it is and how to trust it, and all of it holds', async () => {
	const { child, origin, port, data, printed, ended } = await listening();
	expect(printed()).toContain(`curl --cacert ${data}/tls/ca.pem ${origin}/control/health`);
	for (const text of ['player-one', 'demo', 'character-viewer', 'viewer-secret', 'NODE_EXTRA_CA_CERTS=']) {
		expect(printed()).toContain(text);
	}
	const ca = await readFile(join(data, 'tls/ca.pem'));
	expect(await bodyOf(`${origin}/control/health`, ca)).toBe('{"status":"ok"}');
	const addresses = printed().match(/https:\/\/[^\s)]+/g) ?? [];
	expect(addresses.length).toBeGreaterThan(3);
	for (const address of new Set(addresses)) {
		const path = address.slice(origin.length) || '/';
		expect(await responseOf(port, path), address).toMatch(/^http\/1\.1 200 /);
	}
	child.kill('SIGTERM');
	expect(await ended).toBe(0);
});

test('one server has service and pages, and the memory settings of the C library', async () => {
	const { child, port } = await listening();
	for (const [path, type] of [
		['/ws/v2.0/ratelimits', 'application/json'],
		['/', 'text/html'],
		['/service.css', 'text/css']
	] as const) {
		const response = await responseOf(port, path);
		expect(response, path).toContain(`content-type: ${type}`);
		expect(response, path).toContain('x-content-type-options: nosniff');
	}
	if (process.platform !== 'linux') return;
	const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
	const settings = await readFile(`/proc/${children.trim()}/environ`, 'utf8');
	expect(settings.split('\0')).toContain('MALLOC_MMAP_THRESHOLD_=1048576');
});

/** The response to a GET request, in lower case. */
async function responseOf(port: number, path: string): Promise<string> {
	const connection = await openWire(port);
	return (await connection.send(head(`GET ${path}`, port, 'Connection: close')).end()).toLowerCase();
}

/** The body of a response of a server that this authority has certified. */
function bodyOf(url: string, ca: Buffer): Promise<unknown> {
	return new Promise((resolve, reject) => {
		request(url, { ca, agent: false }, (response) => response.setEncoding('utf8').on('data', resolve))
			.on('error', reject)
			.end();
	});
}

// `config.test.ts` has the other mistakes in settings.
test.each([
	[
		{ TLS_CERT: '/nowhere/a.pem', TLS_KEY: '/nowhere/b.pem' },
		'Cannot read /nowhere/a.pem, the file in TLS_CERT (ENOENT)'
	],
	[{ DATA_DIR: '/dev/null/data' }, 'cannot write /dev/null/data (ENOTDIR)'],
	[
		{ HOST: '203.0.113.77', ADMIN_KEY: 'x'.repeat(16) },
		'this machine has no address 203.0.113.77 (HOST or MANAGEMENT_HOST)'
	]
])('%j stops the start with one message and no stack', async (settings, sentence) => {
	const { ended, printed } = await start(settings);
	expect(await ended).toBe(1);
	expect(printed()).toContain(sentence);
	expect(printed()).not.toMatch(/\n\s+at /);
});

test('with LOG=json the reason is one JSON object', async () => {
	const { ended, printed } = await start({ LOG: 'json', PORT: 'many' });
	expect(await ended).toBe(1);
	expect(JSON.parse(printed())).toMatchObject({ level: 'error', message: expect.stringContaining('PORT is "many"') });
});

test.each([
	[['--port', '80'], 'npm start does not have the option --port.'],
	[['serve'], 'npm start does not have the command serve.'],
	[['check'], 'The command check needs one world file.'],
	[['check', 'a', 'b'], 'The command check needs one world file.']
])('rejects the arguments %j', async (args, sentence) => {
	const { ended, printed } = await start({}, process.execPath, ['src/tooling/start.js', ...args]);
	expect(await ended).toBe(2);
	expect(printed()).toContain(`${sentence} Settings are environment variables`);
});

test('--help lists the commands and the settings', async () => {
	const { ended, printed } = await start({}, process.execPath, ['src/tooling/start.js', '--help']);
	expect(await ended).toBe(0);
	for (const text of ['npm start -- check <file>', '  PORT (default: 8443)']) expect(printed()).toContain(text);
});

test.each(['PORT', 'MANAGEMENT_PORT'])('names a port that is in use (%s), and ends', async (name) => {
	const { port } = await serve();
	const { ended, printed } = await start({ [name]: String(port) });
	expect(await ended).toBe(1);
	expect(printed()).toContain(`port ${port} is already in use`);
});

/** What becomes of a new connection. */
const connection = (port: number) =>
	openWire(port).then(
		(wire) => wire.close(),
		() => 'rejected'
	);

test.each([
	['SIGTERM to npm', 'SIGTERM', ['npm', ['start', '--silent']]],
	['SIGKILL to the process that runs the server', 'SIGKILL', []]
] as const)('%s ends the server', async (_title, signal, [program, args]) => {
	const { child, port } = await listening({}, program, args && [...args]);
	child.kill(signal);
	await expect.poll(() => connection(port), { timeout: 5000 }).toBe('rejected');
});

test('HT-02: certificate files are read again on SIGHUP; broken ones leave the old one in place', async () => {
	const path = await temporaryFolder();
	const [cert, key] = [join(path, 'a.pem'), join(path, 'b.pem')];
	const authority = await createAuthority(['localhost'], Date.now());
	const make = async () => {
		const made = await createCertificate(authority, ['localhost'], Date.now());
		await Promise.all([writeFile(cert, made.cert), writeFile(key, made.key)]);
		return new X509Certificate(made.cert).fingerprint256;
	};
	const first = await make();
	const { child, port, printed } = await listening({ TLS_CERT: cert, TLS_KEY: key });
	expect(printed()).not.toContain('--cacert');
	expect(await fingerprint(port)).toBe(first);
	const second = await make();
	child.kill('SIGHUP');
	await expect.poll(() => fingerprint(port)).toBe(second);
	await writeFile(key, 'rubbish');
	child.kill('SIGHUP');
	await expect.poll(printed).toContain('is not a PEM file');
	expect(await fingerprint(port)).toBe(second);
});

function fingerprint(port: number): Promise<string> {
	return new Promise((resolve, reject) => {
		const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false }, () => {
			resolve(socket.getPeerCertificate().fingerprint256);
			socket.destroy();
		}).on('error', reject);
	});
}
