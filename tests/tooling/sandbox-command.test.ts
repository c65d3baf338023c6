import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createTrustingFetch } from '#client/cli/ca-certificates.server.ts';
import { runProgram } from '#tooling/program/run-program.ts';
import { startNode } from '../conformance/hosts/node.ts';
import type { Transport } from '../conformance/transport.ts';
import { testCertificate } from '../hosts/certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-sandbox-'));
const caFile = join(folder, 'ca.pem');
let server: Transport;
let fetchTrusting: ReturnType<typeof createTrustingFetch>;
beforeAll(async () => {
	const { cert } = (await testCertificate()).authority;
	writeFileSync(caFile, cert);
	fetchTrusting = createTrustingFetch([cert]);
	server = await startNode();
});
afterAll(async () => {
	await server.close();
	rmSync(folder, { recursive: true });
});

async function create(...args: string[]) {
	// The program sets defaults there.
	for (const name of ['STORE', 'DATA_DIR']) vi.stubEnv(name, join(folder, 'unused'));
	const printed = { out: '', err: '' };
	vi.spyOn(console, 'log').mockImplementation((text) => (printed.out += `${String(text)}\n`));
	vi.spyOn(console, 'error').mockImplementation((text) => (printed.err += `${String(text)}\n`));
	vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
		printed.err += String(text);
		return true;
	});
	return { code: await runProgram(['sandbox', 'create', ...args], '.'), ...printed };
}

const here = () => ['--url', server.origin, '--ca', caFile];

function writePreset(content: object): string {
	const file = join(folder, 'preset.json');
	writeFileSync(file, JSON.stringify(content));
	return file;
}

it('prints base URL, credentials and a link as variables, and no secret to standard error', async () => {
	const { code, out, err } = await create(...here());
	expect(code, err).toBe(0);
	const [, base] = /^TOLLGATE_BASE_URL=(\S+)$/m.exec(out) ?? [];
	expect(base).toMatch(/^https:\/\/localhost:\d+\/~/);
	expect(out).toMatch(
		/^TOLLGATE_KEY=\S+\nTOLLGATE_CLIENT_ID=character-viewer\nTOLLGATE_CLIENT_SECRET=viewer-secret\nTOLLGATE_CLAIM_URL="\S+#owner=\S+"\n$/m
	);
	expect(err).toBe('Open TOLLGATE_CLAIM_URL in a browser to control the sandbox. Keep it and the key secret.\n');
});

it('prints one line of JSON whose keys control the sandbox, with the client that it registered', async () => {
	const preset = writePreset({ format: 'tollgate-preset', version: 1, settings: { limits: { character: 5 } } });
	const uris = ['--redirect-uri', 'http://localhost:3000/callback', '--redirect-uri', 'http://localhost:3001/callback'];
	const { out } = await create(...here(), '--json', '--name', 'Pipeline', '--preset', preset, ...uris);
	expect(out.trimEnd()).not.toContain('\n');
	const printed: unknown = JSON.parse(out);
	expect(printed).toMatchObject({ applications: [{ client_id: 'my-client', client_secret: expect.any(String) }] });
	const [base = '', key = '', claim = ''] = ['base_url', 'key', 'claim_url'].map((name) =>
		String(Reflect.get(Object(printed), name))
	);
	const ownerKey = new URL(claim).hash.replace('#owner=', '');
	expect(claim).toBe(`${base}/controls/sandboxes#owner=${ownerKey}`);
	for (const each of [key, ownerKey]) {
		const response = await fetchTrusting(`${base}/control/sandbox`, { headers: { 'x-tollgate-key': each } });
		expect(await response.json()).toMatchObject({ name: 'Pipeline', settings: { limits: { character: 5 } } });
	}
});

it('rejects a certificate that no known CA signed, a closed port and a server without TLS, with what to do', async () => {
	const untrusted = await create('--url', server.origin);
	expect(untrusted).toMatchObject({ code: 1, out: '' });
	expect(untrusted.err).toContain(`Cannot create a sandbox at ${server.origin}. No known CA signed its certificate`);
	const plain = createServer().listen(0, 'localhost');
	onTestFinished(() => void plain.close());
	await new Promise((resolve) => plain.once('listening', resolve));
	const address = plain.address();
	const url = `https://localhost:${String(typeof address === 'object' && address !== null ? address.port : 0)}`;
	expect((await create('--url', url)).err).toContain('does not use TLS. Check --url.');
	await new Promise((resolve) => plain.close(resolve));
	expect((await create('--url', url)).err).toContain('The connection failed. Start the server with npx tollgate');
});

it('reports what the service rejects', async () => {
	const application = { client_id: 'my-client', name: 'Other', kind: 'web', redirect_uris: [] };
	const preset = writePreset({ format: 'tollgate-preset', version: 1, applications: [application] });
	const { code, err } = await create(...here(), '--preset', preset, '--redirect-uri', 'http://localhost:3000/a');
	expect(code).toBe(1);
	expect(err).toContain('Each client_id can occur once.');
});

it.each([
	[['--url', 'http://tollgate.example'], '--url must be an https URL, such as https://localhost:8443.'],
	[['--url', 'localhost'], '--url must be an https URL'],
	[['--url', 'https://user:pass@localhost'], '--url must be an https URL'],
	[['--ca', join(folder, 'none.pem')], 'none.pem is missing or contains no certificate (PEM).'],
	[['--preset', join(folder, 'none.json')], 'none.json cannot be read.'],
	[['--preset', caFile], 'ca.pem is not JSON.'],
	[['--unknown'], "unknown option '--unknown'"],
	[['more'], "too many arguments for 'create'"]
])('returns 2 for %j', async (args, sentence) => {
	const { code, out, err } = await create(...args);
	expect({ code, out }).toEqual({ code: 2, out: '' });
	expect(err).toContain(sentence);
});

it('names what is wrong in a preset', async () => {
	const preset = writePreset({ format: 'tollgate-preset', version: 1, offset: -1 });
	const { code, err } = await create(...here(), '--preset', preset);
	expect(code).toBe(2);
	expect(err).toMatch(/preset\.json is no preset\. offset: .*See tollgate help sandbox\./);
});
