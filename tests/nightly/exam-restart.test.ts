import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, setGlobalDispatcher } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { ProbeId } from '#api/exam.ts';
import { runExam } from '#exam/run-exam.ts';
import { remoteExamService } from '#tooling/program/client-exam/exam-service.ts';
import { prepareClient } from '../exam/client-under-test.ts';
import { testCertificate } from '../hosts/certificate.ts';
import { temporaryFolder } from '../hosts/temporary-folder.ts';
import { builtHost, startServer } from '../run/server.js';
import { freePort } from '../tooling/exam/free-port.ts';

/** The steps in which the service is killed. */
const killedIn: readonly ProbeId[] = ['hard_code', 'expired', 'limited'];

test('STORE=disk: an exam goes on after kill -9', { timeout: 300_000 }, async () => {
	const folder = await temporaryFolder();
	const { authority, certificate } = await testCertificate();
	const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
	await writeFile(files.TLS_CERT, certificate.cert);
	await writeFile(files.TLS_KEY, certificate.key);
	setGlobalDispatcher(new Agent({ connect: { ca: authority.cert } }));
	const settings = { ...files, STORE: 'disk', DATA_DIR: folder, PORT: String(await freePort()) };
	const start = () => startServer([process.execPath, builtHost], settings);
	let server = await start();
	onTestFinished(() => server.close());
	const restart = async () => {
		server.child.kill('SIGKILL');
		await once(server.child, 'exit');
		server = await start();
	};

	const { rootUrl, fetch: send } = remoteExamService(server.origin);
	const clientFetch: typeof fetch = async (input, init) => {
		const { url, method, headers, body } = new Request(input, init);
		return send(url, { method, headers, body: body === null ? null : await new Response(body).text() });
	};
	const client = await prepareClient({ service: { rootUrl, fetch: send, clientFetch } });
	const restarts: Promise<void>[] = [];
	const { findings, ended, probes, seconds } = await runExam({
		...client,
		onProgress(progress) {
			if (progress.type !== 'probe' || !killedIn.includes(progress.probe)) return;
			restarts.push(new Promise((resolve) => setTimeout(resolve, 700)).then(restart));
		}
	});
	await Promise.all(restarts);
	console.log(`${restarts.length} times kill -9, ${seconds} s`);
	expect(restarts).toHaveLength(killedIn.length);
	expect(ended).toBeUndefined();
	expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
	expect(findings.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(44);
	expect(probes?.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
});
