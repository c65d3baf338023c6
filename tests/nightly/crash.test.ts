import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { socketTransport } from '../conformance/hosts/sockets.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import { testCertificate } from '../hosts/certificate.ts';
import { temporaryFolder } from '../hosts/temporary-folder.ts';
import { builtHost, startServer } from '../run/server.js';
import { expectKept, noChanges, untilSomeChanges, type Acknowledged } from './acknowledged.ts';
import { freePort } from './free-port.ts';

const rounds = 50;
const workers = 4;

test('STORE=disk: what a response acknowledged survives kill -9 at any moment', async () => {
	const folder = await temporaryFolder();
	const { certificate } = await testCertificate();
	const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
	await writeFile(files.TLS_CERT, certificate.cert);
	await writeFile(files.TLS_KEY, certificate.key);
	const settings = { ...files, STORE: 'disk', DATA_DIR: folder, PORT: String(await freePort()) };
	const start = () => startServer([process.execPath, builtHost], settings);

	let server = await start();
	onTestFinished(() => server.close());
	const transport = socketTransport(server.origin, () => Promise.resolve());
	const at = await Sandbox.create(transport);
	let checked = 0;
	for (let round = 0; round < rounds; round++) {
		const acknowledged = noChanges();
		const load = Array.from({ length: workers }, (_, worker) => use(at, acknowledged, `${round} ${worker}`));
		await untilSomeChanges(acknowledged);
		server.child.kill('SIGKILL');
		await once(server.child, 'exit');
		await Promise.all(load);
		server = await start();
		checked += await expectKept(at, acknowledged);
	}
	console.log(`${rounds} times kill -9, ${checked} acknowledged changes, none lost`);
});

/** Uses the service until it no longer responds, and records what it acknowledges. */
async function use(at: Sandbox, { codes, revoked, applications }: Acknowledged, name: string): Promise<void> {
	const user = at.user();
	try {
		for (;;) {
			const code = await user.code(at.viewer, { access_type: 'offline' });
			const { refresh_token } = (await at.exchange(code)).tokens;
			codes.push(code);
			applications.push((await at.register('installed', [], name)).client_id);
			if (refresh_token === undefined) continue;
			await at.revoke(refresh_token);
			revoked.push(refresh_token);
		}
	} catch {
		// The server was killed.
	}
}
