import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialects, type DialectName } from '#api/dialect.ts';
import { createTrustingFetch } from '#client/cli/ca-certificates.server.ts';
import { runCommand, snippets } from '#features/console/snippets/index.ts';
import { programOf, redirectUriFor, type Snippet } from '#features/console/snippets/snippet.ts';
import { startNode } from '../../conformance/hosts/node.ts';
import { Sandbox, type App } from '../../conformance/sandbox.ts';
import type { Transport } from '../../conformance/transport.ts';
import { signInAtService } from '../../client/sign-in-at-service.js';
import { testCertificate } from '../../hosts/certificate.ts';
import { freePort } from '../../tooling/exam/free-port.ts';

/** A web application in the dialect of the specification. */
const web = { kind: 'web' as const, dialect: dialects.specification };
const demo = { scope: 'character_read', path: '/ws/v2.0/character/Mara%20Vell' };
const root = join(import.meta.dirname, '../../..');
const project = mkdtempSync(join(tmpdir(), 'tollgate-snippets-'));
let transport: Transport;
let sandboxes: Record<DialectName, Sandbox>;
let authority: string;

beforeAll(async () => {
	authority = (await testCertificate()).authority.cert;
	transport = await startNode();
	const [specification, standard] = [await Sandbox.create(transport), await Sandbox.create(transport)];
	await standard.changeSettings({ dialect: 'standard' });
	sandboxes = { specification, standard };
	mkdirSync(join(project, '.tollgate', 'tls'), { recursive: true });
	writeFileSync(join(project, '.tollgate', 'tls', 'ca.pem'), authority);
	mkdirSync(join(project, 'node_modules'));
	for (const name of ['oauth4webapi', '@types']) {
		symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
	}
});

afterAll(async () => {
	await transport.close();
	rmSync(project, { recursive: true, force: true });
});

/** How a snippet is run. */
type Walk = {
	/** Absent: as its page says. */
	readonly run?: string | undefined;
	readonly listensAt?: string;
	readonly dialectName?: DialectName;
};

/**
 * Runs a snippet as pasted, with the commands that its page shows, and plays the user who signs in and pastes the result.
 * @param listensAt the redirect URI. With one of this machine, the program receives the response itself.
 */
async function walk(
	snippet: Snippet,
	kind: 'web' | 'installed',
	{ run = snippet.run, listensAt, dialectName = 'specification' }: Walk = {}
): Promise<string> {
	const at = sandboxes[dialectName];
	const dialect = dialects[dialectName];
	const registered = await at.register(
		kind,
		kind === 'web' ? [listensAt ?? "https://client.example/it's?a=$HOME&b=%25"] : []
	);
	const app = { ...registered, redirect_uri: listensAt ?? registered.redirect_uri };
	const input = { baseUrl: at.base_url, kind, dialect };
	const program = programOf(snippet, { ...input, ...demo, ...app });
	writeFileSync(join(project, snippet.file), program);
	// One test checks the types of all variants at once: to read the types of Node costs more than all else here.
	const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
	if (snippet.file === 'client.mts')
		writeFileSync(join(project, 'client.mjs'), ts.transpileModule(program, { compilerOptions }).outputText);
	const commands = runCommand({ ...snippet, run }, { ...input, client_secret: app.client_secret }).replace(
		snippet.install ?? '',
		''
	);
	expect(commands.includes(app.client_secret)).toBe(kind === 'web' || dialectName === 'specification');
	const child = spawn('bash', ['-euc', commands], { cwd: project });
	let output = '';
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	let hasPasted = false;
	let failure: unknown;
	const complete = async (url: URL) => {
		const listens = !program.includes('Paste');
		// A user with a session returns at once: a program that shows the URL listens already.
		if (listens) await (await fetch(new URL('/favicon.ico', app.redirect_uri))).text();
		const pasted = await visit(url, app);
		if (listens) expect(await (await fetch(pasted)).text()).toBe('You can close this tab.');
		child.stdin.end(listens ? '' : `${pasted}\n`);
	};
	const read = (chunk: Buffer) => {
		output += chunk.toString();
		const [url] = /https:\/\/\S+\/ws\/oauth2\/auth\/\S+(?=\n)/.exec(output) ?? [];
		if (url === undefined || hasPasted) return;
		hasPasted = true;
		void complete(new URL(url)).catch((error: unknown) => {
			failure = error;
			child.kill();
		});
	};
	child.stdout.on('data', read);
	child.stderr.on('data', read);
	const code = await ended;
	expect(failure, output).toBeUndefined();
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
const commands: Readonly<Record<string, string | undefined>> = {
	curl: 'bash client.sh',
	TypeScript: 'node client.mjs', // `walk` removes its types
	Python: python && `${python} client.py`,
	Ruby: spawnSync('ruby', ['-v']).status === 0 ? 'ruby client.rb' : undefined
};

it('the TypeScript snippet compiles in strict mode for each kind, dialect and place of the redirect URI', () => {
	const snippet = snippets.find(({ label }) => label === 'TypeScript');
	if (snippet === undefined) throw new Error('TypeScript');
	const variants = (['web', 'installed'] as const).flatMap((kind) =>
		Object.values(dialects).flatMap((dialect) =>
			['https://client.example/', 'http://localhost:8080/callback', 'urn:ietf:wg:oauth:2.0:oob'].map(
				(redirect_uri) => ({
					kind,
					dialect,
					redirect_uri
				})
			)
		)
	);
	const files = variants.map((variant, index) => {
		const file = `variant-${index}.mts`;
		const code = programOf(snippet, { baseUrl: 'https://tollgate.example', client_id: 'x', ...demo, ...variant });
		writeFileSync(join(project, file), code);
		return file;
	});
	const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
	const options = '--strict --types node --target es2022 --module nodenext --skipLibCheck --noEmit';
	const { status, stdout } = spawnSync(process.execPath, [tsc, ...options.split(' '), ...files], {
		cwd: project,
		encoding: 'utf8'
	});
	expect(stdout).toBe('');
	expect(status).toBe(0);
});

// The nightly run has each kind of application in each dialect, any other one kind in each.
const isNightly = import.meta.env.MODE === 'nightly';
const kinds = ['web', 'installed'] as const;

describe.each(isNightly ? kinds : kinds.slice(0, 1))('for an application of the kind %s', (kind) => {
	for (const [label, command] of Object.entries(commands)) {
		it.skipIf(command === undefined)(`the ${label} snippet signs in, calls a resource and refreshes`, async () => {
			const snippet = snippets.find((one) => one.label === label);
			if (snippet === undefined) throw new Error(label);
			const output = await walk(snippet, kind, { run: command });
			expect(output).toContain('Mara Vell');
			expect(output).toMatch(/x-ratelimit-remaining: \d{3}/i);
			expect(output).toMatch(/^Refreshed: [\w-]{6}…$/m);
		});
	}
});

describe.each(isNightly ? kinds : kinds.slice(1))(
	"in the dialect of today's standards, an application of the kind %s",
	(kind) => {
		for (const [label, command] of Object.entries(commands)) {
			it.skipIf(command === undefined)(
				`the ${label} snippet needs the issuer, the client and the redirect URI only`,
				async () => {
					const snippet = snippets.find((one) => one.label === label);
					if (snippet === undefined) throw new Error(label);
					const listensAt = kind === 'installed' ? { listensAt: `http://localhost:${await freePort()}/` } : {};
					const output = await walk(snippet, kind, { run: command, dialectName: 'standard', ...listensAt });
					expect(output).toContain('Mara Vell');
					expect(output).toMatch(/^Refreshed: [\w-]{6}…$/m);
				}
			);
		}
	}
);

describe('for a redirect URI of this machine', () => {
	for (const label of ['TypeScript', 'Python']) {
		const command = commands[label];
		it.skipIf(command === undefined)(`the ${label} snippet receives the response itself`, async () => {
			const snippet = snippets.find((one) => one.label === label);
			if (snippet === undefined) throw new Error(label);
			const output = await walk(snippet, 'web', {
				run: command,
				listensAt: `http://localhost:${await freePort()}/callback?a=1`
			});
			expect(output).toContain('Mara Vell');
			expect(output).not.toContain('Paste');
		});
	}

	it.each(snippets.filter(({ label }) => !['TypeScript', 'Python'].includes(label)))(
		'the $label snippet says that the browser shows an error page',
		(snippet) => {
			const app = { client_id: 'x', redirect_uri: 'http://localhost:8080/', ...web };
			const code = programOf(snippet, { baseUrl: 'https://tollgate.example', ...app, ...demo });
			expect(code).toContain('The browser then shows an error page, which is expected. Paste its URL: ');
		}
	);
});

it('gives an installed application a port, and never the out-of-band URI where the dialect has none', () => {
	const redirect_uris = ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost'];
	const uriIn = (name: DialectName) => redirectUriFor({ kind: 'installed', redirect_uris }, dialects[name]);
	expect([uriIn('specification'), uriIn('standard')]).toEqual([redirect_uris[0], 'http://localhost:8910/']);
	const own = { kind: 'installed' as const, redirect_uris: ['http://127.0.0.1:4000/callback'] };
	expect(redirectUriFor(own, dialects.standard)).toBe('http://127.0.0.1:4000/callback');
	expect(redirectUriFor({ ...own, kind: 'web' }, dialects.standard)).toBe('http://127.0.0.1:4000/callback');
});

it('puts the secret into the commands only, and the certificate authority only where a server is local', () => {
	const input = {
		baseUrl: 'https://tollgate.example',
		client_id: 'x',
		redirect_uri: 'https://x.example/',
		...web,
		...demo
	};
	for (const snippet of snippets) {
		expect(programOf(snippet, input), snippet.label).toContain('CLIENT_SECRET');
		expect(runCommand(snippet, { ...input, client_secret: "it's" })).toContain(String.raw`CLIENT_SECRET='it'\''s'`);
		expect(runCommand(snippet, input)).not.toContain('ca.pem');
		const baseUrl = 'https://localhost:8443/~x';
		expect(runCommand(snippet, { baseUrl, ...web })).toContain('=.tollgate/tls/ca.pem');
		expect(runCommand(snippet, { baseUrl, ...web, caFile: '/my data/tls/ca.pem' })).toContain("='/my data/tls/ca.pem'");
	}
});
