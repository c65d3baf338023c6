import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import type { Send } from '#course/lessons/scripted-client.ts';
import { fillIn } from '#course/lessons/model/fill-in.ts';
import { localAuthority } from '#features/console/snippets/local-authority.ts';
import { startNode } from '../conformance/hosts/node.ts';
import type { Transport } from '../conformance/transport.ts';
import { testCertificate } from '../hosts/certificate.ts';
import { openLesson } from '../course/lessons/lesson-sandbox.ts';
import { sendByCurl } from '../course/lessons/send-by-curl.ts';
import { sendByOauth4webapi } from '../course/lessons/send-by-oauth4webapi.ts';

// Every lesson on the Node host, walked by clients that know nothing of it. tests/course/lessons does the same in one process.

const run = promisify(execFile);
let transport: Transport;
let directory: string;
let authority: string;

beforeAll(async () => {
	transport = await startNode();
	directory = await mkdtemp(join(tmpdir(), 'tollgate-lessons-'));
	authority = join(directory, localAuthority);
	await mkdir(dirname(authority), { recursive: true });
	await writeFile(authority, (await testCertificate()).authority.cert);
});
afterEach(() => vi.unstubAllGlobals());
afterAll(async () => {
	await transport.close();
	await rm(directory, { recursive: true, force: true });
});

describe.each(allLessons)('lesson $id', ({ id }) => {
	const load = async () => {
		const [lesson, script] = [await loadLesson(id), await loadScript(id)];
		if (lesson === undefined || script === undefined) throw new Error(`src/course/lessons/scripts.ts has no ${id}`);
		return { lesson, script };
	};
	const clients: [string, (fetch: Send) => Send][] = [
		['curl', () => sendByCurl(join(directory, `cookies-${id}`), authority)],
		['oauth4webapi', sendByOauth4webapi]
	];

	it.each(clients)('is met by %s', async (_name, sendOf) => {
		const { lesson, script } = await load();
		const { client, evidence } = await openLesson(lesson, transport, sendOf);
		await script(client);
		expect(evaluate(lesson, await evidence()).missing?.unmet).toBeUndefined();
	});

	it('its curl call works unchanged', async () => {
		const { lesson } = await load();
		const { client, evidence } = await openLesson(lesson, transport);
		const { client_id, redirect_uri } = client.viewer;
		const tokens = await client.signIn({ access_type: 'offline' });
		const code = await client.code();
		const before = (await evidence()).entries.length;
		const call = run('bash', ['-euc', fillIn(lesson.help.call, client.baseUrl, undefined)], {
			cwd: directory,
			env: {
				...process.env,
				ACCESS_TOKEN: tokens.field('access_token'),
				REFRESH_TOKEN: tokens.field('refresh_token'),
				CODE: code,
				CLIENT_ID: client_id,
				REDIRECT_URI: redirect_uri
			},
			// A call may repeat itself for minutes. What it sends at first is enough.
			timeout: 3000
		});
		await call.catch((error: unknown) => {
			if (!(error instanceof Error && 'killed' in error && error.killed === true)) throw error;
		});
		const entries = (await evidence()).entries.slice(before);
		expect(entries.length).toBeGreaterThan(0);
		expect(entries.map(({ endpoint }) => endpoint)).not.toContain('not_found');
		// Two of them show what the service rejects with 400.
		for (const { response } of entries) expect([200, 303, 400]).toContain(response?.status);
	});
});
