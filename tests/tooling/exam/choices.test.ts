import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addOptions, readChoices, UsageError, type Choices, type Given } from '#tooling/program/client-exam/choices.ts';
import { splitCommand } from '#tooling/program/client-exam/client-process.ts';

const page = 'http://localhost:3000';

function read(...args: string[]): Choices {
	const command = addOptions(new Command()).argument('[command...]').passThroughOptions().exitOverride();
	command.configureOutput({ writeErr: () => undefined }).parse(args, { from: 'user' });
	return readChoices(command.opts<Given>(), command.args);
}

it('reads the command line of the documentation', () => {
	const words = `--sign-in ${page}/login --use ${page}/me --seed 7 --only request.*,callback.denial --fail-on never -- npm start -- --port 3000`;
	expect(read(...words.split(' '))).toMatchObject({
		signIn: `${page}/login`,
		use: `${page}/me`,
		redirectUris: [`${page}/callback`],
		kind: 'web',
		seed: 7,
		only: ['request.*', 'callback.denial'],
		failOn: 0,
		dialect: 'specification',
		strict: true,
		timeLimit: undefined,
		command: ['npm', 'start', '--', '--port', '3000']
	});
});

it('judges the rules of each --only and --skip', () => {
	const chosen = read('--sign-in', page, '--only', 'request.*', '--only', 'call.header', '--skip', 'callback.*');
	expect(chosen).toMatchObject({ only: ['request.*', 'call.header'], skip: ['callback.*'] });
});

it('takes several redirect URIs', () => {
	const chosen = read('--sign-in', page, '--callback', `${page}/a`, '--callback', `${page}/b`);
	expect(chosen.redirectUris).toEqual([`${page}/a`, `${page}/b`]);
});

it('allows each loopback address for an installed client of today’s standards', () => {
	const installed = ['--sign-in', 'app login', '--kind', 'installed', '--dialect', 'standard', '--callback'];
	for (const uri of ['http://127.0.0.1:8000/callback', 'http://[::1]', 'http://localhost'])
		expect(read(...installed, uri)).toMatchObject({ dialect: 'standard', redirectUris: [uri] });
	const outOfBand = () => read(...installed, 'urn:ietf:wg:oauth:2.0:oob');
	expect(outOfBand).toThrow('--callback of an installed client is http://127.0.0.1 or http://localhost with any port.');
});

it('maps variables of the client', () => {
	const { variables } = read('--sign-in', page, '--env', 'URL={base_url}/x=1', '--env', 'EMPTY=', '--', 'npm');
	expect([...variables]).toEqual([
		['URL', '{base_url}/x=1'],
		['EMPTY', '']
	]);
});

it.each([
	[['--sign-in', 'app login'], '--sign-in, --use and --sign-out are URLs'],
	[['--sign-in', page, '--use', 'ftp://localhost'], '--sign-in, --use and --sign-out are URLs'],
	[['--sign-in', page, '--seed', '-1'], '--seed must be a whole number from 0 to 4294967295.'],
	[['--sign-in', page, '--seed', '4294967296'], '--seed must be a whole number from 0 to 4294967295.'],
	[['--sign-in', page, '--time-limit', '0'], '--time-limit must be a whole number from 1 to 3600.'],
	[['--sign-in', page, '--url', 'tollgate.example'], '--url must be a URL'],
	[['--sign-in', page, '--callback', '/callback'], '--callback must be a URL'],
	[
		['--sign-in', 'app login', '--kind', 'installed', '--callback', `https://app.example`],
		'--callback of an installed client'
	],
	[['--sign-in', page, '--only', 'request.*,limit.cash'], '--only: no rule is called limit.cash.'],
	[['--sign-in', page, '--skip', 'calls.*'], '--skip: no rule is called calls.*.'],
	[['--sign-in', page, '--env', '{base_url}'], '--env takes NAME=value']
])('rejects %j', (args, sentence) => {
	const call = () => read(...args);
	expect(call).toThrow(UsageError);
	expect(call).toThrow(sentence);
});

it('splits the command line of a client without a shell', () => {
	expect(splitCommand(`app  show '{name}' "a \\"b\\" c" d\\ e $HOME|x ''`)).toEqual([
		'app',
		'show',
		'{name}',
		'a "b" c',
		'd e',
		'$HOME|x',
		''
	]);
});
