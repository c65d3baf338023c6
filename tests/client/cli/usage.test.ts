import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestCli } from './test-cli.ts';

let cli: TestCli;

beforeEach(() => {
	cli = new TestCli('https://service.example');
});

afterEach(() => cli.remove());

test.each([
	['an unknown command', ['sing'], "Unknown command 'sing'"],
	['the name of an object method', ['constructor'], "Unknown command 'constructor'"],
	['an unknown option', ['show', 'X', '--color'], "Unknown option '--color'"],
	['an unknown short option', ['show', '-x'], "Unknown option '-x'"],
	['an option of another command', ['limits', '--online'], "Unknown option '--online'"],
	['an option before the command', ['--online', 'login'], "Unknown option '--online'"],
	['no name', ['show'], "Missing required argument 'name'"],
	['an empty name', ['show', ' ', '  '], "Missing required argument 'name'"],
	['an empty option', ['show', 'X', '--ca', ''], "Option '--ca <file>' argument '' is invalid."],
	['an option without its value', ['login', '--scope'], "Option '--scope <names>' argument missing"],
	['too many arguments', ['logout', 'everyone'], "Too many arguments for 'logout'."],
	['no permission', ['login', '--scope', ' , '], 'Name at least one permission.'],
	['no time', ['login', '--timeout', '0'], 'Use seconds, up to 3600.'],
	['more than an hour', ['login', '--timeout', '3601'], 'Use seconds, up to 3600.'],
	['a time in words', ['login', '--timeout', 'long'], 'Use seconds, up to 3600.'],
	['a base URL that is no URL', ['limits', '--base-url', 'service'], 'The base URL "service" is invalid.'],
	['a base URL with a query', ['limits', '--base-url', 'https://x.example/?a=b'], 'is invalid.'],
	['a base URL with a fragment', ['limits', '--base-url', 'https://x.example/#a'], 'is invalid.'],
	['a base URL with a user', ['limits', '--base-url', 'https://me@x.example'], 'is invalid.'],
	['another protocol', ['limits', '--base-url', 'ftp://x.example'], 'is invalid.']
])('%s exits with 2 and changes nothing', async (_, args, message) => {
	const { code, out, err } = await cli.run(args);
	expect({ code, out, opened: cli.opened, files: cli.files() }).toEqual({ code: 2, out: '', opened: 0, files: [] });
	expect(err).toContain('✗ Invalid command\n');
	expect(err).toContain(message);
	expect(err).toContain('See npm run companion -- --help');
});

test('an invalid command with --json writes the error as JSON', async () => {
	expect(await cli.json(['login', '--timeout', '0'])).toMatchObject({
		code: 2,
		data: { error: { code: 'invalid_command', title: 'Invalid command' } }
	});
});

test.each([
	['http://service.example', 'https://service.example'],
	['HTTP://service.example:8080/~k3v9/', 'https://service.example/~k3v9'],
	['http://localhost.service.example', 'https://localhost.service.example'],
	['http://192.168.0.7:8080', 'https://192.168.0.7'],
	['http://[2001:db8::7]:8080', 'https://[2001:db8::7]'],
	['http://service.example/a:1', 'https://service.example/a:1']
])('plain HTTP to another machine is rejected: %s', async (url, suggestion) => {
	const before = readdirSync(cli.home);
	const env = { XDG_CONFIG_HOME: cli.home, TOLLGATE_URL: url };
	for (const result of [await cli.run(['login', '--base-url', url]), await cli.run(['login'], { env })]) {
		expect(result).toMatchObject({ code: 2, out: '' });
		expect(result.err).toContain('is not encrypted\n');
		expect(result.err).toContain(`Use HTTPS: --base-url ${suggestion}\n`);
	}
	expect({ opened: cli.opened, files: readdirSync(cli.home) }).toEqual({ opened: 0, files: before });
});

test.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
	'plain HTTP to this machine is allowed: %s',
	async (url) => {
		expect((await cli.run(['limits', '--base-url', url])).err).toContain('✗ Not signed in');
	}
);

test.each([
	[['--help'], 0, 'out'],
	[['show', '--help'], 0, 'out'],
	[['login', '-h'], 0, 'out'],
	[[], 2, 'err']
] as const)('help for %j lists usage and exit codes', async (args, code, stream) => {
	const result = await cli.run(args);
	expect(result.code).toBe(code);
	expect(result[stream]).toMatch(/^Usage: npm run companion -- [^]*Exit codes:\n/);
	expect(result[stream === 'out' ? 'err' : 'out']).toBe('');
});
