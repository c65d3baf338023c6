import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrustingFetch } from '#client/cli/ca-certificates.server.ts';
import { runCommand, snippets } from '#features/console/snippets/index.ts';
import type { Snippet } from '#features/console/snippets/snippet.ts';
import { startNode } from '../../conformance/hosts/node.ts';
import { Sandbox, type App } from '../../conformance/sandbox.ts';
import type { Transport } from '../../conformance/transport.ts';
import { signInAtService } from '../../client/sign-in-at-service.js';
import { testCertificate } from '../../hosts/certificate.ts';

const demo = { scope: 'character_read', path: '/ws/v2.0/character/Mara%20Vell' };
const root = join(import.meta.dirname, '../../..');
const project = mkdtempSync(join(tmpdir(), 'tollgate-snippets-'));
let transport: Transport;
let at: Sandbox;
let authority: string;

beforeAll(async () => {
	authority = (await testCertificate()).authority.cert;
	transport = await startNode();
	at = await Sandbox.create(transport);
	mkdirSync(join(project, '.tollgate', 'tls'), { recursive: true });
	writeFileSync(join(project, '.tollgate', 'tls', 'ca.pem'), authority);
	mkdirSync(join(project, 'node_modules'));
	for (const name of ['oauth4webapi', 'typescript', '@types']) {
		symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
	}
});

afterAll(async () => {
	await transport.close();
	rmSync(project, { recursive: true, force: true });
});

/**
 * Runs a snippet as pasted, with the commands that its page shows, and plays the user who signs in and pastes the result.
 * @param redirect_uri of a web application. With one of this machine, the program receives the response itself.
 */
async function walk(
	snippet: Snippet,
	kind: 'web' | 'installed',
	run = snippet.run,
	redirect_uri = "https://client.example/it's?a=$HOME&b=%25"
): Promise<string> {
	const app = await at.register(kind, kind === 'web' ? [redirect_uri] : []);
	writeFileSync(join(project, snippet.file), snippet.code({ baseUrl: at.base_url, kind, ...demo, ...app }));
	const commands = runCommand({ ...snippet, run }, { baseUrl: at.base_url, client_secret: app.client_secret }).replace(
		snippet.install ?? '',
		''
	);
	const child = spawn('bash', ['-euc', commands], { cwd: project });
	let output = '';
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	let hasPasted = false;
	const read = (chunk: Buffer) => {
		output += chunk.toString();
		const [url] = /https:\/\/\S+\/ws\/oauth2\/auth\/\S+(?=\n)/.exec(output) ?? [];
		if (url === undefined || hasPasted) return;
		hasPasted = true;
		void visit(new URL(url), app).then(async (pasted) => {
			if (new URL(redirect_uri).protocol === 'http:') {
				await (await fetch(new URL('/favicon.ico', redirect_uri))).text();
				expect(await (await fetch(pasted)).text()).toBe('You can close this tab.');
				child.stdin.end();
			} else child.stdin.end(`${pasted}\n`);
		});
	};
	child.stdout.on('data', read);
	child.stderr.on('data', read);
	const code = await ended;
	expect(code, output).toBe(0);
	expect(output).not.toContain(app.client_secret);
	return output;
}

/** Signs the user in. Returns what a user pastes: the URL of the redirect, or the code on the page. */
async function visit(url: URL, app: App): Promise<string> {
	expect(url.searchParams.get('redirect_uri')).toBe(app.redirect_uri);
	const { callback, page } = await signInAtService(createTrustingFetch([authority]), url);
	return callback?.href ?? /<title>Success,code=([\w-]+)/.exec(page)?.[1] ?? '';
}

const python = ['python3', '/usr/bin/python3'].find(
	(program) => spawnSync(program, ['-c', 'import requests_oauthlib']).status === 0
);
if (python === undefined) console.warn('Skipped the Python snippet: requests-oauthlib is not installed.');
// TypeScript is compiled in strict mode, and runs without its types.
const compile =
	'node node_modules/typescript/bin/tsc --strict --types node --target es2022 --module nodenext --skipLibCheck client.mts';
const commands: Readonly<Record<string, string | undefined>> = {
	curl: 'bash client.sh',
	TypeScript: `${compile} && node client.mjs`,
	Python: python && `${python} client.py`
};

describe.each(['web', 'installed'] as const)('for an application of the kind %s', (kind) => {
	for (const [label, command] of Object.entries(commands)) {
		it.skipIf(command === undefined)(`the ${label} snippet signs in, calls a resource and refreshes`, async () => {
			const snippet = snippets.find((one) => one.label === label);
			if (snippet === undefined) throw new Error(label);
			const output = await walk(snippet, kind, command);
			expect(output).toContain('Mara Vell');
			expect(output).toMatch(/x-ratelimit-remaining: \d{3}/i);
			expect(output).toMatch(/^Refreshed: [\w-]{6}…$/m);
		});
	}
});

describe('for a redirect URI of this machine', () => {
	/** A port that no other program uses. */
	async function freePort(): Promise<number> {
		const server = createServer().listen(0, 'localhost');
		await new Promise((resolve) => server.once('listening', resolve));
		const address = server.address();
		await new Promise((resolve) => server.close(resolve));
		if (address === null || typeof address === 'string') throw new Error('The server has no port.');
		return address.port;
	}

	for (const label of ['TypeScript', 'Python']) {
		const command = commands[label];
		it.skipIf(command === undefined)(`the ${label} snippet receives the response itself`, async () => {
			const snippet = snippets.find((one) => one.label === label);
			if (snippet === undefined) throw new Error(label);
			const output = await walk(snippet, 'web', command, `http://localhost:${await freePort()}/callback?a=1`);
			expect(output).toContain('Mara Vell');
			expect(output).not.toContain('Paste');
		});
	}

	it.each(snippets.filter(({ label }) => !['TypeScript', 'Python'].includes(label)))(
		'the $label snippet says that the browser shows an error page',
		(snippet) => {
			const app = { client_id: 'x', redirect_uri: 'http://localhost:8080/', kind: 'web' as const };
			const code = snippet.code({ baseUrl: 'https://tollgate.example', ...app, ...demo });
			expect(code).toContain('The browser then shows an error page, which is expected. Paste its URL: ');
		}
	);
});

it('puts the secret into the commands only, and the certificate authority only where a server is local', () => {
	const input = {
		baseUrl: 'https://tollgate.example',
		client_id: 'x',
		redirect_uri: 'https://x.example/',
		kind: 'web' as const,
		...demo
	};
	for (const snippet of snippets) {
		expect(snippet.code(input), snippet.label).toContain('CLIENT_SECRET');
		expect(runCommand(snippet, { ...input, client_secret: "it's" })).toContain(String.raw`CLIENT_SECRET='it'\''s'`);
		expect(runCommand(snippet, input)).not.toContain('ca.pem');
		const baseUrl = 'https://localhost:8443/~x';
		expect(runCommand(snippet, { baseUrl })).toContain('=.tollgate/tls/ca.pem');
		expect(runCommand(snippet, { baseUrl, caFile: '/my data/tls/ca.pem' })).toContain("='/my data/tls/ca.pem'");
	}
});
