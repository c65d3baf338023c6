import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrustingFetch } from '#client/cli/ca-certificates.server.ts';
import { settingsByName } from '#hosts/settings.ts';
import { signInAtService } from '../client/sign-in-at-service.js';
import { startServer } from '../run/server.js';
import { installPackage } from './packed-package.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const modules = join(root, 'node_modules');
const run = promisify(execFile);

/** A test suite of another project: the service in process with its own clock, as in the docs. */
const suite = `
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createService } from 'tollgate';
import { handlers } from 'tollgate/msw';

let now = Date.UTC(2026, 10, 21, 10);
const service = createService({ clock: () => now });
const server = setupServer(...handlers(service));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const token = (fields: Record<string, string>) =>
	fetch(\`\${service.origin}/ws/oauth2/token/\`, { method: 'POST', body: new URLSearchParams(fields) });
const application = { client_id: 'character-viewer', client_secret: 'viewer-secret' };
const redirect_uri = \`\${service.origin}/viewer/callback\`;

/** Signs player-one in and consents. Returns the code. */
async function consent(): Promise<string> {
	const asked = new URLSearchParams({
		response_type: 'code',
		client_id: application.client_id,
		redirect_uri,
		scope: 'character_read',
		access_type: 'offline',
		state: 'xyz'
	});
	const address = \`\${service.origin}/ws/oauth2/auth/\`;
	const first = await fetch(\`\${address}?\${asked}\`, { redirect: 'manual' });
	let cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
	const interaction = /name="interaction" value="([^"]*)"/.exec(await first.text())?.[1] ?? '';
	const post = (fields: Record<string, string>) =>
		fetch(address, { method: 'POST', redirect: 'manual', headers: { cookie }, body: new URLSearchParams({ interaction, ...fields }) });
	const signedIn = await post({ username: 'player-one', password: 'demo' });
	cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
	await fetch(signedIn.headers.get('location') ?? '', { headers: { cookie } });
	const allowed = await post({ decision: 'approve' });
	const callback = new URL(allowed.headers.get('location') ?? '');
	expect(callback.searchParams.get('state')).toBe('xyz');
	return callback.searchParams.get('code') ?? '';
}

it('signs a user in, and expires the token by the clock of the test', async () => {
	const code = await consent();
	const first = await (await token({ grant_type: 'authorization_code', code, redirect_uri, ...application })).json();
	const read = () =>
		fetch(\`\${service.origin}/ws/v2.0/character/Mara%20Vell\`, { headers: { authorization: \`OAuth \${first.access_token}\` } });
	const response = await read();
	expect([response.status, response.headers.get('date')]).toEqual([200, 'Sat, 21 Nov 2026 10:00:00 GMT']);
	now += first.expires_in * 1000;
	expect((await read()).status).toBe(401);
	const renewed = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token, ...application });
	expect(renewed.status).toBe(200);
});

it('sends no response to a blacklisted client', async () => {
	const settings = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"limits":{"character":0,"blacklist_after_refused":1}}' };
	expect((await fetch(\`\${service.origin}/control/settings\`, settings)).status).toBe(200);
	await fetch(\`\${service.origin}/ws/v2.0/character/x\`);
	await expect(fetch(\`\${service.origin}/ws/v2.0/character/x\`)).rejects.toThrow(TypeError);
});
`;

let project: string;

beforeAll(async () => {
	project = await mkdtemp(join(tmpdir(), 'tollgate-package-'));
	await installPackage(project);
});

afterAll(() => rm(project, { recursive: true, force: true }));

describe('npx tollgate', () => {
	const bin = () => join(project, 'node_modules/.bin/tollgate');
	const settings = () => ({ PATH: process.env.PATH ?? '', HOME: join(project, 'home'), PORT: '0', BROWSER: 'none' });

	it('is less than 15 MB, with all that it depends on', async () => {
		const folder = join(project, 'node_modules');
		const files = await readdir(folder, { recursive: true, withFileTypes: true });
		const sizes = await Promise.all(
			files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size)
		);
		expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(15e6);
	});

	it('listens within three seconds, and signs a user in', async () => {
		const startedAt = performance.now();
		const server = await startServer([bin()], settings());
		const duration = performance.now() - startedAt;
		const ca = await readFile(join(project, 'home/.local/share/tollgate/tls/ca.pem'), 'utf8');
		const redirect_uri = `${server.origin}/viewer/callback`;
		const url = new URL('/ws/oauth2/auth/', server.origin);
		url.search = new URLSearchParams({
			response_type: 'code',
			client_id: 'character-viewer',
			redirect_uri,
			scope: 'character_read',
			state: 'xyz'
		}).toString();
		const { callback } = await signInAtService(createTrustingFetch([ca]), url);
		await server.close();
		expect(callback?.searchParams.get('code')).toMatch(/^\S{10,}$/);
		expect(duration).toBeLessThan(3000);
	});

	it('ends when npx gets a signal', async () => {
		const server = await startServer(['npx', '--prefix', project, 'tollgate'], settings());
		await server.close(); // Waits for npx, which does not wait for the server.
		const isListening = () =>
			new Promise<boolean>((resolve) => {
				const socket = connect(Number(new URL(server.origin).port), 'localhost');
				socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
				socket.once('connect', () => socket.destroy());
			});
		await expect.poll(isListening, { timeout: 5000 }).toBe(false);
	});

	it('keeps its records in the data folder of the user', async () => {
		expect(await readdir(join(project, 'home/.local/share/tollgate'))).toEqual(['store', 'tls']);
	});

	it('prints each setting, runs the command-line client, and names an unknown command', async () => {
		const { stdout } = await run(bin(), ['--help'], { env: settings() });
		for (const name of settingsByName.keys()) expect(stdout).toContain(`  ${name}`);
		const companion = await run(bin(), ['companion', '--help'], { env: settings() });
		expect(companion.stdout).toContain('Usage: npx tollgate companion');
		await expect(run(bin(), ['serv'], { env: settings() })).rejects.toMatchObject({ code: 2 });
	});

	it('writes the static build for a base path, into an empty folder only', async () => {
		const site = join(project, 'site');
		await run(bin(), ['static', site, '--base', '/demo'], { env: settings() });
		expect(await readFile(join(site, 'index.html'), 'utf8')).toContain('base: "/demo"');
		await expect(run(bin(), ['static', site], { env: settings() })).rejects.toMatchObject({ code: 1 });
	});
});

describe('the package, installed in another project', () => {
	beforeAll(async () => {
		// The project would install these itself.
		for (const name of ['msw', 'vitest', '@types/node']) {
			await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true });
			await symlink(join(modules, name), join(project, 'node_modules', name));
		}
		await writeFile(join(project, 'client.test.ts'), suite);
	});

	it('runs in a Vitest suite of another project', async () => {
		const words = ['run', '--root', project, '--testTimeout', '60000'];
		const { stdout } = await run(process.execPath, [join(modules, 'vitest/vitest.mjs'), ...words], {
			cwd: project,
			env: { ...process.env, NO_COLOR: '1', VITEST: undefined, NODE_ENV: undefined }
		});
		expect(stdout).toMatch(/Tests\s+2 passed/);
	});

	it('has types', async () => {
		const options = ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node', '--skipLibCheck', 'false'];
		const compiler = [join(modules, 'typescript/bin/tsc'), '--module', 'nodenext', ...options];
		const wrong =
			'import { createService } from "tollgate";\nexport const service = createService({ clock: "noon" });\n';
		const right =
			'import { createService } from "tollgate";\nimport { handlers } from "tollgate/msw";\n' +
			'export const all: number = handlers(createService({ clock: () => 0 }), { address: "192.0.2.7" }).length;\n';
		await writeFile(join(project, 'right.ts'), right);
		await writeFile(join(project, 'wrong.ts'), wrong);
		const checked = run(process.execPath, [...compiler, 'right.ts', 'wrong.ts'], { cwd: project });
		await expect(checked).rejects.toMatchObject({
			stdout: expect.stringMatching(/^wrong\.ts\(.*TS2322.*\n(?:[ ].*\n)*$/)
		});
	});
});
