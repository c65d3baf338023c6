import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { socketTransport } from '../conformance/hosts/sockets.ts';
import type { TestResponse } from '../conformance/response.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import { testCertificate } from '../hosts/certificate.ts';
import { freePort } from '../hosts/redis/redis-server.ts';
import { describeWithSmallDisk, mountSmallDisk } from '../hosts/small-disk.ts';
import { temporaryFolder } from '../hosts/temporary-folder.ts';
import { builtHost, startServer } from '../run/server.js';

const rounds = 20;

describeWithSmallDisk('STORE=disk on a full disk', () => {
	it('loses nothing that it acknowledged before and after, although it is killed then', async () => {
		const disk = await mountSmallDisk(24);
		const folder = await temporaryFolder();
		const { certificate } = await testCertificate();
		const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
		await writeFile(files.TLS_CERT, certificate.cert);
		await writeFile(files.TLS_KEY, certificate.key);
		const data = { STORE: 'disk', DATA_DIR: join(disk.folder, 'data') };
		const settings = { ...files, ...data, PORT: String(await freePort()) };
		const start = () => startServer([process.execPath, builtHost], settings);

		let server = await start();
		onTestFinished(() => server.close());
		const at = await Sandbox.create(socketTransport(server.origin, () => Promise.resolve()));
		for (let round = 0; round < rounds; round++) {
			const before = await use(at, 'player-two');
			await disk.fill();
			let rejected: TestResponse | undefined;
			for (let count = 0; count < 500 && rejected === undefined; count++) {
				const response = await at.refresh(before.live);
				if (response.status !== 200) rejected = response;
			}
			expect([rejected?.status, rejected?.error]).toEqual([503, 'temporarily_unavailable']);
			expect((await at.character(before.access)).status, 'a read').toBe(200);
			expect((await at.get('/ratelimiting')).status, 'the blacklist status').toBe(200);
			await disk.free();
			await expect.poll(async () => (await at.refresh(before.live)).status, { timeout: 10_000 }).toBe(200);
			const after = await use(at, 'player-three');
			server.child.kill('SIGKILL');
			await once(server.child, 'exit');
			expect(server.output().match(/The records cannot be written/g)?.length, 'reports').toBe(1);
			server = await start();
			const { text } = await at.controlled('GET', 'applications');
			for (const { code, revoked, live, application } of [before, after]) {
				expect((await at.refresh(revoked)).status, 'a revoked token').toBe(400);
				expect((await at.refresh(live)).status, 'another token').toBe(200);
				expect((await at.exchange(code)).status, 'a used code').toBe(400);
				expect(text, 'an application').toContain(application);
				await at.controlled('DELETE', `applications/${application}`);
				await at.revoke(live);
			}
		}
		console.log(`${rounds} times full, freed and killed, nothing lost`);
	});
});

/** Signs in twice and revokes one of the tokens, then registers an application: all of it acknowledged. */
async function use(at: Sandbox, username: string) {
	const sign = async (user: string) => {
		const code = await at.user(user).code(at.viewer, { access_type: 'offline' });
		return { code, ...(await at.exchange(code)).tokens };
	};
	const [first, second] = [await sign('player-one'), await sign(username)];
	expect((await at.revoke(first.refresh_token ?? '')).status).toBe(200);
	return {
		code: first.code,
		revoked: first.refresh_token ?? '',
		live: second.refresh_token ?? '',
		access: second.access_token,
		application: (await at.register('installed', [], 'On a full disk')).client_id
	};
}
