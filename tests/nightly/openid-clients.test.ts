import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idTokenFaults } from '#api/control/fault-rules.ts';
import { startNode } from '../conformance/hosts/node.ts';
import { Sandbox, type App } from '../conformance/sandbox.ts';
import type { Transport } from '../conformance/transport.ts';
import { showsFlows } from '../client-flows.ts';
import { testCertificate } from '../hosts/certificate.ts';
import { installPackages } from '../run/debian.js';
import { libraries, type Library } from './openid-libraries.ts';

// Libraries of three languages sign a user in. Each knows the issuer, its registration and the scopes. Then each gets the six ID tokens
// that a client must reject. The user is one of `POST /control/authorizations`.

const run = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'openid-clients-'));
const redirect_uri = 'http://localhost:3000/auth/callback/tollgate';
let transport: Transport;
let at: Sandbox;
let app: App;

beforeAll(async () => {
	const { authority } = await testCertificate();
	transport = await startNode();
	at = await Sandbox.create(transport);
	await at.changeSettings({ dialect: 'standard' });
	app = await at.register('web', [redirect_uri]);
	writeFileSync(join(project, 'ca.pem'), authority.cert);
	writeFileSync(join(project, 'package.json'), '{"name":"other","private":true,"type":"module"}');
});

afterAll(async () => {
	await transport.close();
	rmSync(project, { recursive: true, force: true });
});

/** Runs the program of a library. Returns what it printed; of one that failed, the error. */
async function signIn({ command: [program, ...args] }: Library): Promise<string> {
	const ca = join(project, 'ca.pem');
	const env = {
		PATH: process.env.PATH,
		HOME: project,
		NODE_EXTRA_CA_CERTS: ca,
		REQUESTS_CA_BUNDLE: ca,
		SSL_CERT_FILE: ca,
		BASE: at.base_url,
		KEY: at.key,
		ID: app.client_id,
		SECRET: app.client_secret,
		CALLBACK: redirect_uri
	};
	const { stdout } = await run(program, args, { cwd: project, env }).catch((error: unknown) => ({
		stdout: `rejected: ${String(Object(error).stderr)}`
	}));
	return stdout;
}

for (const [name, library] of Object.entries(libraries)) {
	const [program, ...args] = library.needs;
	const isInstalled = () => spawnSync(program, args).status === 0;
	if (!isInstalled()) await installPackages(...(library.packages ?? []));
	const isMissing = !isInstalled();
	if (isMissing) console.warn(`Skipped ${name}: it is not installed.`);

	describe.skipIf(isMissing)(name, { timeout: 60_000 }, () => {
		beforeAll(async () => {
			const { install } = library;
			const npm = ['install', '--prefer-offline', '--no-audit', '--no-fund'];
			if (install !== undefined) await run('npm', [...npm, ...install], { cwd: project });
			writeFileSync(join(project, library.file), library.code);
		}, 300_000);

		test('signs a user in by the issuer', async () => {
			expect(await signIn(library)).toBe('signed in: player-one\n');
			if (name === 'Auth.js') showsFlows('Auth.js 0.41', 'discovery', 'code');
			if (name === 'Authlib') showsFlows('Authlib 1', 'discovery', 'code');
		});

		test.each(idTokenFaults)('%s', async (kind) => {
			await at.fault({ endpoint: 'token', kind });
			const result = await signIn(library);
			expect(result).toMatch(library.rejects[kind] ?? /^signed in: /);
			if (library.rejects[kind] !== undefined) expect(result).toMatch(/^rejected: /);
			expect((await at.controlled('GET', 'faults')).json(), 'the fault applied').toEqual({ faults: [] });
		});
	});
}
