import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agree, TestCli } from './test-cli.ts';

let machine: TestCli;

beforeEach(() => {
	machine = new TestCli();
});

afterEach(() => machine.discard());

describe('a command line that makes no sense is refused before anything is done', () => {
	test.each([
		['a command that nobody knows', ['sing'], 'There is no command sing.'],
		['what every object has, as a command', ['constructor', '--json=no'], 'There is no command constructor.'],
		['an option that nobody knows', ['show', 'X', '--colour'], 'There is no option --colour.'],
		['a letter that nobody knows', ['show', '-x'], 'There is no option -x.'],
		['a capital letter', ['show', 'X', '-X'], 'There is no option -X.'],
		['the name as an option', ['show', '--name', 'X'], 'There is no option --name.'],
		['what every object has', ['limits', '--constructor'], 'There is no option --constructor.'],
		['no name', ['show'], 'A name is missing.'],
		['an empty name', ['show', ''], 'A name is missing.'],
		['a name of spaces', ['show', ' ', '  '], 'A name is missing.'],
		['the same of another command', ['limits', '--online'], 'There is no option --online.'],
		['an option without its value', ['show', 'X', '--ca', ''], '--ca takes a value.'],
		['a word too many', ['logout', 'everybody'], 'There is a word too many: everybody'],
		['a word too many at login', ['login', 'player-one'], 'There is a word too many: player-one'],
		['a word too many at limits', ['limits', 'all'], 'There is a word too many: all'],
		['no permission to ask for', ['login', '--scope', ' , '], '--scope takes at least one permission.'],
		['no time to wait', ['login', '--timeout', '0'], '--timeout takes seconds, up to 3600.'],
		['more than an hour', ['login', '--timeout', '3601'], '--timeout takes seconds, up to 3600.'],
		['a time in words', ['login', '--timeout', 'long'], '--timeout takes seconds, up to 3600.'],
		['an option before the command', ['--online', 'login'], 'Options stand after the command.'],
		['a service in the open', ['limits', '--base-url', 'http://service.example'], 'over https only'],
		['a service that is no address', ['limits', '--base-url', 'service'], 'not service.'],
		['a service with a query', ['limits', '--base-url', 'https://service.example/?a=b'], 'takes an address'],
		['a service with a fragment', ['limits', '--base-url', 'https://service.example/#a'], 'takes an address'],
		['a service with a user', ['limits', '--base-url', 'https://me@service.example'], 'takes an address'],
		['a service with a password', ['limits', '--base-url', 'https://:me@service.example'], 'takes an address'],
		['another protocol', ['limits', '--base-url', 'ftp://service.example'], 'takes an address']
	])('%s', async (_, words, said) => {
		let opened = 0;
		const openBrowser = (address: string) => agree(address).finally(() => (opened += 1));
		const { code, out, err } = await machine.run(words, { openBrowser });
		expect({ code, out, opened }).toEqual({ code: 2, out: '', opened: 0 });
		expect(err).toContain(said);
		expect(machine.service.requests).toEqual([]);
	});

	test.each([
		['login', 'http://service.example', 'https://service.example'],
		['limits', 'HTTP://service.example:8080/~k3v9/', 'https://service.example/~k3v9'],
		['logout', 'http://localhost.service.example', 'https://localhost.service.example'],
		['login', 'http://192.168.0.7:8080', 'https://192.168.0.7'],
		['login', 'http://[2001:db8::7]:8080', 'https://[2001:db8::7]'],
		['login', 'http://service.example/a:1', 'https://service.example/a:1']
	])('%s at %s is refused with the reason and the way on, and leaves no file', async (command, url, better) => {
		const inOption = await machine.run([command, '--base-url', url]);
		const env = { XDG_CONFIG_HOME: machine.home, TOLLGATE_URL: url };
		for (const { code, out, err } of [inOption, await machine.run([command], { env })]) {
			expect({ code, out }).toEqual({ code: 2, out: '' });
			expect(err).toContain('is plain http\n');
			expect(err).toContain('The service is reachable over https only (specification, section 4)');
			expect(err).toContain(`--base-url ${better}\n`);
		}
		expect(machine.service.requests).toEqual([]);
		expect(readdirSync(machine.home)).toEqual([]);
	});

	test.each(['https://service.example/', 'https://service.example//'])(
		'%s is the service without slashes',
		async (url) => {
			await machine.run(['login', '--base-url', url]);
			expect(machine.service.requests[0]?.url.href).toBe('https://service.example/ws/oauth2/token/');
		}
	);

	test.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
		'%s needs no certificate: it is this machine',
		async (url) => {
			expect((await machine.run(['limits', '--base-url', url])).err).toContain('Nobody is signed in');
		}
	);
});

describe('what a sign-in asks for', () => {
	test('several permissions, for the time that the person is present', async () => {
		let asked = new URLSearchParams();
		const openBrowser = (address: string) => {
			asked = new URL(address).searchParams;
			return agree(address);
		};
		const waits: number[] = [];
		const timeout = (milliseconds: number) => {
			waits.push(milliseconds);
			return new AbortController().signal;
		};
		const words = ['login', '--scope', 'location_read, character_read', '--online', '--timeout', '3600'];
		expect((await machine.run(words, { openBrowser, timeout })).code).toBe(0);
		expect(asked.get('scope')).toBe('character_read location_read');
		expect(machine.service.requests[0]?.form.get('access_type')).toBe('online');
		expect(waits[0]).toBe(3_600_000);
	});

	test('with --no-open the address is only printed', async () => {
		let opened = 0;
		const openBrowser = () => Promise.resolve((opened += 1) > 0);
		const { err } = await machine.run(['login', '--no-open'], { openBrowser, timeout: () => AbortSignal.abort() });
		expect(opened).toBe(0);
		expect(err).toMatch(/^Open this address:\n\nhttps:\/\/service\.example\/ws\/oauth2\/auth\/\?/);
	});
});
