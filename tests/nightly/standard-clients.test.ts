import { execFile, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNode } from '../conformance/hosts/node.ts';
import { Sandbox, type App } from '../conformance/sandbox.ts';
import type { Transport } from '../conformance/transport.ts';
import { showsFlows } from '../client-flows.ts';
import { testCertificate } from '../hosts/certificate.ts';
import { installPackages } from '../run/debian.js';
import { libraries } from './standard-libraries.ts';

// Libraries of other languages, with their defaults, in a sandbox with the dialect of today's standards. Each knows the issuer and its
// registration. It signs in, reads a character, refreshes twice, revokes, and is rejected then. Some do more. tests/conformance has those
// of npm.

const run = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'standard-clients-'));
const redirect_uri = 'http://localhost:3000/callback';
let transport: Transport;
let at: Sandbox;
let app: App;
/** An application with a key in place of a secret. */
let keyed: App;
let privateKey = '';

beforeAll(async () => {
	const { authority } = await testCertificate();
	transport = await startNode();
	at = await Sandbox.create(transport);
	await at.changeSettings({ dialect: 'standard' });
	app = await at.register('web', [redirect_uri]);
	keyed = await at.register('web', [redirect_uri], 'With a key');
	const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const jwks = { keys: [pair.publicKey.export({ format: 'jwk' })] };
	await at.controlled('PATCH', `applications/${keyed.client_id}`, { jwks });
	privateKey = String(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
	writeFileSync(join(project, 'ca.pem'), authority.cert);
});

afterAll(async () => {
	await transport.close();
	rmSync(project, { recursive: true, force: true });
});

/** What the user of a device does with the code that it shows. */
async function approve(user_code: string): Promise<void> {
	const user = at.user();
	await user.signIn();
	const page = await user.open(`/ws/oauth2/device?user_code=${user_code}`);
	await user.post('/ws/oauth2/device', { csrf_token: page.hidden('csrf_token'), user_code, decision: 'approve' });
}

for (const [name, { program, packages, needs, arguments: before = [], more = [], file, code }] of Object.entries(
	libraries
)) {
	const isInstalled = () => spawnSync(program, needs).status === 0;
	if (!isInstalled()) await installPackages(...packages);
	const isMissing = !isInstalled();
	if (isMissing) console.warn(`Skipped ${name}: it is not installed.`);

	test.skipIf(isMissing)(
		`${name} signs in, calls, refreshes twice and revokes with its defaults`,
		{ timeout: 120_000 },
		async () => {
			writeFileSync(join(project, file), code);
			const ca = join(project, 'ca.pem');
			const env = {
				PATH: process.env.PATH,
				HOME: project,
				REQUESTS_CA_BUNDLE: ca,
				SSL_CERT_FILE: ca,
				BASE: at.base_url,
				KEY: at.key,
				ID: app.client_id,
				SECRET: app.client_secret,
				KEYED: keyed.client_id,
				PRIVATE_KEY: privateKey,
				CALLBACK: redirect_uri
			};
			const running = run(program, [...before, file], { cwd: project, env });
			running.child.stderr?.on('data', (text: unknown) => {
				const [, code] = /user_code (\S+)/.exec(String(text)) ?? [];
				if (code !== undefined) void approve(code);
			});
			const { stdout } = await running;
			expect(stdout.trim().split('\n')).toEqual(['200', '200', '200', '401', ...more.map((flow) => `${flow} 200`)]);
			if (name === 'Authlib')
				showsFlows('Authlib 1', 'code', 'refresh', 'revocation', 'credentials', 'device', 'assertion', 'exchange');
			if (name === 'Go x/oauth2') showsFlows('Go x/oauth2 0.3', 'code', 'refresh', 'credentials');
		}
	);
}
