import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtHost, dataFolder, startServer, type RunningServer } from './run/server.js';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const scripts: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The first fenced block below a heading. */
function block(heading: string): string {
	const [, below = ''] = readme.split(`## ${heading}\n`);
	return /```sh\n([\s\S]*?)```/.exec(below)?.[1] ?? '';
}

describe('the walk with curl', () => {
	const data = dataFolder();
	let server: RunningServer;
	let output = '';

	beforeAll(async () => {
		server = await startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path });
		const walk = block('The same with `curl`')
			.replace('BASE=https://localhost:8443', `BASE=${server.origin}`)
			.replace('CA=.tollgate/tls/ca.pem', `CA=${data.path}/tls/ca.pem`);
		const { stdout } = await promisify(execFile)('sh', ['-euc', walk], { cwd: root });
		output = stdout;
	}, 60_000);

	afterAll(async () => {
		await server.close();
		data.remove();
	});

	test('consent leads back to the application, with a code and the state', () => {
		expect(output).toMatch(/^https:\/\/localhost:\d+\/viewer\/callback\?code=[\w-]{43}&state=af0ifjsldkj$/m);
	});

	test('the code gives both tokens, the refresh only one', () => {
		const answers = output.split('\n').flatMap((line) => /\{"access_token".*?\}/.exec(line) ?? []);
		expect(answers.map((answer) => answer.includes('refresh_token'))).toEqual([true, false]);
	});

	test('a character, with its location and the headers of the limit', () => {
		expect(output).toContain('"name":"Mara Vell"');
		expect(output).toContain('"region":"Harrow Coast"');
		expect(output).toMatch(/^x-ratelimit-remaining: 599\r$/im);
	});

	test('rate limits in XML', () => {
		expect(output).toContain('<ratelimits version="1.0" total="2">');
	});

	test('revoking answers 200, and the traffic says why the next call was refused', () => {
		expect(output).toMatch(/200\n/);
		const entry = output.slice(output.lastIndexOf('{"seq"'));
		expect(entry).toContain('"status":401');
		expect(entry).toContain('"outcome":"failed"');
	});
});

describe('what it names is there', () => {
	const files = [...readme.matchAll(/(?:`|\()((?:src|tests)\/[\w./-]+)[`)]/g)].flatMap(([, path = '']) => path);
	const commands = [...readme.matchAll(/npm run ([\w:]+)/g)].flatMap(([, name = '']) => name);

	test.each([...new Set(files)])('%s', (path) => {
		expect(existsSync(join(root, path))).toBe(true);
	});

	test.each([...new Set(commands)])('npm run %s', (name) => {
		expect(scripts).toHaveProperty(['scripts', name]);
	});

	test('every setting, and no other', () => {
		const settings = readFileSync(join(root, 'src/hosts/config.server.ts'), 'utf8');
		const [read = ''] = /@param environment .*/.exec(settings) ?? [];
		const named = (text: string) => [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map(([, name]) => name).sort();
		const [, table = ''] = readme.split('## Settings\n');
		const firstColumn = table.split('\n## ', 1)[0]?.matchAll(/^\| (.*?) \|/gm) ?? [];
		expect(named([...firstColumn].map(([, cell]) => cell).join())).toEqual(named(read));
	});
});
