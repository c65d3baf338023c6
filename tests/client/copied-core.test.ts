import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNode } from '../conformance/hosts/node.ts';
import { testCertificate } from '../hosts/certificate.ts';

// Copies the client core into an empty project, as docs/client-core tells readers to do.
const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'tollgate-copied-core-'));
const run = promisify(execFile);

// What most projects have. The stricter options of this one are checked here anyway.
const tsconfig = {
	compilerOptions: {
		strict: true,
		target: 'es2022',
		module: 'nodenext',
		lib: ['es2023', 'dom', 'dom.iterable'],
		types: [],
		rewriteRelativeImportExtensions: true,
		rootDir: 'src',
		outDir: 'out'
	}
};

const main = `
	import { example } from './out/example.js';
	import { signInAtService } from './sign-in-at-service.js';
	const { data, rateLimit } = await example(process.argv[2], async (url) => {
		const { callback } = await signInAtService(fetch, url);
		return callback.searchParams;
	});
	console.log(JSON.stringify({ data, rateLimit }));
`;

beforeAll(() => {
	for (const name of ['oauth', 'rate-limit', 'example.ts']) {
		cpSync(join(root, 'src/client', name), join(project, 'src', name), { recursive: true });
	}
	mkdirSync(join(project, 'node_modules'));
	symlinkSync(join(root, 'node_modules/oauth4webapi'), join(project, 'node_modules/oauth4webapi'));
	cpSync(join(root, 'tests/client/sign-in-at-service.js'), join(project, 'sign-in-at-service.js'));
	writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
	writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(tsconfig));
	writeFileSync(join(project, 'main.js'), main);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the copied client core compiles on its own, signs in, refreshes and reads a character', async () => {
	await run(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc')], { cwd: project });
	const service = await startNode();
	try {
		const { authority } = await testCertificate();
		const ca = join(project, 'ca.pem');
		writeFileSync(ca, authority.cert);
		const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
		const { stdout } = await run(process.execPath, ['main.js', service.origin], { cwd: project, env });
		expect(JSON.parse(stdout)).toMatchObject({
			data: { name: 'Mara Vell', class: expect.any(String) },
			rateLimit: { limit: 600, remaining: 599 }
		});
	} finally {
		await service.close();
	}
});
