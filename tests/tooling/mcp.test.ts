import { beforeEach, expect, it } from 'vitest';
import { ExamTools } from '#tooling/program/mcp/exam-tools.ts';
import type { Tool } from '#tooling/program/mcp/tool.ts';

/** Prints its arguments, in place of an exam. */
const program = [process.execPath, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--'];
let tools: readonly Tool[] = [];
beforeEach(() => (tools = new ExamTools(program).tools));

const run = async (args: unknown) => tools.find(({ name }) => name === 'run_exam')?.call(args);

/** The words of the command that an exam would start, without the file of the result. */
async function words(args: unknown): Promise<readonly string[]> {
	const printed: unknown = JSON.parse((await run(args)) ?? '');
	const all = Array.isArray(printed) ? printed.map(String) : [];
	expect(all.filter((word) => word.startsWith('--json='))).toHaveLength(1);
	return all.filter((word) => !word.startsWith('--json='));
}

const sign_in = 'http://localhost:3000/login';

it('takes the command of a client as a list of words or as a line', async () => {
	const expected = ['exam', `--sign-in=${sign_in}`, '--', 'npm', 'start'];
	expect(await words({ command: ['npm', 'start'], sign_in })).toEqual(expected);
	expect(await words({ command: 'npm start', sign_in })).toEqual(expected);
});

it('passes kind, variables and the choice between strict and lenient', async () => {
	const env = { OAUTH_URL: '{base_url}' };
	expect(
		await words({ sign_in: 'app login', kind: 'installed', env, strict: false, callback: ['http://localhost/a'] })
	).toEqual([
		'exam',
		'--sign-in=app login',
		'--kind=installed',
		'--callback=http://localhost/a',
		'--env=OAUTH_URL={base_url}',
		'--no-strict'
	]);
});

it.each([
	[{ junit: '/any/file' }, 'run_exam has no argument junit.'],
	[{ url: 'https://other.test' }, 'run_exam has no argument url.'],
	[{ use: '--junit=/any/file' }, 'use: Must not begin with a dash.'],
	[{ only: '--json' }, 'only: Must not begin with a dash.'],
	[{ callback: ['-x'] }, 'callback'],
	[{ env: { 'A=B --junit': 'x' } }, 'Must be the name of a variable.'],
	[{ command: 7 }, 'command: Must be a list of words, or a command line such as npm start.'],
	[{ kind: 'other' }, 'kind: ']
])('rejects arguments that the schema does not have: %j', async (more, message) => {
	await expect(run({ command: 'npm start', sign_in, ...more })).rejects.toThrow(message);
});

it.each([undefined, 'text', []])('rejects arguments that are no object: %j', async (args) => {
	await expect(run(args)).rejects.toThrow(/must be an object|sign_in/);
});
