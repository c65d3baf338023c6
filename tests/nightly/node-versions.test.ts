import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTrustingFetch } from '#client/cli/ca-certificates.server.ts';
import { signInAtService } from '../client/sign-in-at-service.js';
import { startServer, type RunningServer } from '../run/server.js';
import { installPackage } from './packed-package.ts';

// The supported versions of Node besides the oldest one, which runs all other tests. npm's package `node` brings their programs.

const root = join(import.meta.dirname, '../..');
const sources = [
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'svelte.config.js',
	'vite.config.ts',
	'src',
	'static',
	// The documentation shows it.
	'tests/course/lessons/runs/whole-trip.ts'
];
const unitTests = ['tests/service', 'tests/store', 'tests/api', 'tests/hosts', 'tests/tooling', 'tests/client/oauth'];
const run = promisify(execFile);
let folder: string;
let project: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'tollgate-node-'));
	project = join(folder, 'project');
	await mkdir(project);
	await installPackage(project);
});

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

describe.each([22, 24, 26])('Node %i', (version) => {
	let node: string;
	/** What a user of this version has set. Programs that are started by name are of this version, too. */
	let env: Record<string, string>;

	beforeAll(async () => {
		const home = join(folder, String(version));
		await mkdir(home);
		await writeFile(join(home, 'package.json'), '{"private":true}');
		const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `node@${version}`];
		await run('npm', install, { cwd: home });
		const bin = join(home, 'node_modules/node/bin');
		node = join(bin, 'node');
		env = {
			PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
			HOME: home,
			DATA_DIR: join(home, 'data'),
			PORT: '0',
			STORE: 'disk',
			NO_COLOR: '1'
		};
		expect((await run(node, ['--version'])).stdout).toMatch(new RegExp(`^v${version}\\.`));
	});

	test('a copy of the project builds and starts, and its data survives a restart', async () => {
		const copy = join(folder, `copy-${version}`);
		await mkdir(copy);
		for (const name of sources) await cp(join(root, name), join(copy, name), { recursive: true });
		await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
		await keepsSignIn([node, join(copy, 'src/tooling/start.js')], { ...env, DATA_DIR: join(copy, 'data') });
	});

	test('the package starts, and its data survives a restart', async () => {
		await keepsSignIn([node, join(project, 'node_modules/tollgate/build/host/tollgate.js')], env);
	});

	test('unit tests pass', async () => {
		const vitest = [
			join(root, 'node_modules/vitest/vitest.mjs'),
			'run',
			'--project',
			'source',
			'--reporter',
			'dot',
			...unitTests
		];
		const { HOME: _, DATA_DIR: __, PORT: ___, STORE: ____, ...own } = env;
		const options = {
			cwd: root,
			env: { ...process.env, VITEST: undefined, NODE_ENV: undefined, ...own },
			maxBuffer: 1e8
		};
		const { stdout } = await run(node, vitest, options);
		expect(stdout).toMatch(/Tests\s+\d+ passed/);
	});
});

/** Signs a user in, starts the server again, and redeems the code. */
async function keepsSignIn(command: string[], settings: Record<string, string>): Promise<void> {
	const first = await startServer(command, settings);
	const { port } = new URL(first.origin);
	const redirect_uri = `${first.origin}/viewer/callback`;
	const fetch = await trustingFetch(settings);
	const url = new URL('/ws/oauth2/auth/', first.origin);
	url.search = new URLSearchParams({
		response_type: 'code',
		client_id: 'character-viewer',
		redirect_uri,
		scope: 'character_read',
		state: 'xyz'
	}).toString();
	const code = await closing(first, async () => (await signInAtService(fetch, url)).callback?.searchParams.get('code'));
	const second = await startServer(command, { ...settings, PORT: port });
	const status = await closing(second, async () => {
		const fields = { grant_type: 'authorization_code', code: code ?? '', redirect_uri };
		const client = { client_id: 'character-viewer', client_secret: 'viewer-secret' };
		const body = new URLSearchParams({ ...fields, ...client });
		const headers = { 'content-type': 'application/x-www-form-urlencoded' };
		const sent = { method: 'POST', headers, body: body.toString() };
		return (await fetch(`${second.origin}/ws/oauth2/token/`, sent)).status;
	});
	expect(status).toBe(200);
}

async function trustingFetch({ DATA_DIR = '' }: Record<string, string>) {
	return createTrustingFetch([await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8')]);
}

/** Uses a server, and closes it in any case. */
async function closing<T>(server: RunningServer, use: () => Promise<T>): Promise<T> {
	try {
		return await use();
	} finally {
		await server.close();
	}
}
