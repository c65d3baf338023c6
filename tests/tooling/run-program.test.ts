import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { runProgram } from '#tooling/program/run-program.ts';
import { text, valid } from '../evidence/lesson-file/files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command line that ends at once, and returns what it prints. */
async function run(...args: string[]) {
	// The program sets defaults there.
	for (const name of ['STORE', 'DATA_DIR']) vi.stubEnv(name, 'unused');
	let printed = '';
	const write = (text: string | Uint8Array) => {
		printed += String(text);
		return true;
	};
	vi.spyOn(process.stdout, 'write').mockImplementation(write);
	vi.spyOn(process.stderr, 'write').mockImplementation(write);
	for (const name of ['log', 'error'] as const) vi.spyOn(console, name).mockImplementation(write);
	return { exitCode: await runProgram(args, root), printed };
}

test.each([
	[['serve'], 'There is no command serve.'],
	[['--port', '80'], "unknown option '--port'"],
	[['static'], "missing required argument 'folder'"],
	[['static', 'a', 'b'], "too many arguments for 'static'. Expected 1 argument but got 2."],
	[['static', 'a', '--bas', '/b'], "unknown option '--bas'"],
	[['check', 'a', 'b'], "too many arguments for 'check'. Expected 1 argument but got 2."],
	[['ready', 'a'], "too many arguments for 'ready'. Expected 0 arguments but got 1."]
])('rejects the arguments %j', async (args, sentence) => {
	const { exitCode, printed } = await run(...args);
	expect(exitCode).toBe(2);
	expect(printed).toContain(sentence);
	expect(printed).toContain('Settings are environment variables, for example PORT=8080. See tollgate --help.');
});

test.each([['help'], ['--help']])('%s lists the commands and the settings', async (argument) => {
	const { exitCode, printed } = await run(argument);
	expect(exitCode).toBe(0);
	for (const text of ['companion', 'static', 'check', 'sandbox', 'ready', '  PORT (default: 8443)'])
		expect(printed).toContain(text);
});

test('check says what is wrong with a lesson file, at its line', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'lesson-'));
	const file = join(folder, 'lesson.json');
	try {
		writeFileSync(file, text(valid));
		expect(await run('check', file)).toMatchObject({
			exitCode: 0,
			printed: expect.stringContaining('/learn/own-call-our-api')
		});
		writeFileSync(file, text({ ...valid, title: '', minutes: 0 }));
		const { exitCode, printed } = await run('check', file);
		expect(exitCode).toBe(1);
		expect(printed).toContain('has 2 mistakes:\n  line 5, title: This field is required.\n  line 7, minutes: ');
		writeFileSync(file, 'format: tollgate-lesson\nversion: 1\ntitle: ""\n');
		expect((await run('check', file)).printed).toContain('line 3, title: This field is required.');
		// An unfinished file is a lesson too.
		writeFileSync(file, '{ "format": "tollgate-lesson",');
		expect((await run('check', file)).printed).toContain('It is not JSON');
	} finally {
		rmSync(folder, { recursive: true });
	}
});
