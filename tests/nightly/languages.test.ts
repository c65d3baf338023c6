import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { examResult, type ExamResult } from '#api/exam.ts';
import { runProgram } from '#tooling/program/run-program.ts';
import { temporaryFolder } from '../hosts/temporary-folder.ts';
import { freePort } from '../tooling/exam/free-port.ts';

const folder = join(import.meta.dirname, '../exam/programs');
const script = (name: string) => join(folder, name);

/** A client of another language. Its mistake is its last argument. */
type Language = {
	readonly name: string;
	/** Debian's packages, and what tells whether this machine has them. */
	readonly needs: string;
	readonly probe: readonly string[];
	readonly command: (port: number, mistake: string) => readonly string[];
	/** Each with a rule that it breaks. */
	readonly mistakes: readonly (readonly [mistake: string, rule: string])[];
};

const open = ['state is not compared', 'callback.foreign_code'] as const;
const limit = ['ignores the limit', 'limit.stop_at_zero'] as const;
const lock = ['refreshes without a lock', 'token.one_refresh'] as const;
const forgets = ['forgets the new access token', 'token.one_refresh'] as const;

const languages: readonly Language[] = [
	{
		name: 'Java and HttpURLConnection',
		needs: 'default-jdk-headless',
		probe: ['javac', '-version'],
		command: (port, mistake) => ['java', script('WebClient.java'), String(port), mistake],
		mistakes: [open, limit, lock]
	},
	{
		name: 'Go',
		needs: 'golang-go',
		probe: ['go', 'version'],
		command: (port, mistake) => ['go', 'run', script('web_client.go'), String(port), mistake],
		mistakes: [open, limit, lock]
	},
	{
		name: 'PHP and several processes',
		needs: 'php-cli',
		probe: ['php', '-r', 'exit(extension_loaded("openssl") ? 0 : 1);'],
		command: (port, mistake) => [
			...['env', 'PHP_CLI_SERVER_WORKERS=6', `EXAM_MISTAKE=${mistake}`],
			...['php', '-S', `localhost:${port}`, script('web_client.php')]
		],
		mistakes: [open, limit, forgets]
	},
	{
		name: 'Perl',
		needs: 'libio-socket-ssl-perl',
		probe: ['perl', '-MIO::Socket::SSL', '-e', '1'],
		command: (port, mistake) => ['perl', script('web_client.pl'), String(port), mistake],
		mistakes: [open, limit, forgets]
	}
];

/** Examines a client. What the program prints is shown where a test fails. */
async function examine(
	{ command }: Language,
	seed: number,
	mistake = '',
	only: readonly string[] = []
): Promise<{ readonly result: ExamResult; readonly printed: string }> {
	const port = await freePort();
	const file = join(await temporaryFolder(), 'exam.json');
	const printed: string[] = [];
	for (const method of ['log', 'error'] as const)
		vi.spyOn(console, method).mockImplementation((text = '') => void printed.push(String(text)));
	const page = `http://localhost:${port}`;
	const urls = ['--sign-in', `${page}/login`, '--use', `${page}/me`, '--sign-out', `${page}/logout`];
	const options = ['--seed', String(seed), '--json', file, '--fail-on', 'never', ...only];
	const exitCode = await runProgram(['exam', ...urls, ...options, '--', ...command(port, mistake)], '.');
	vi.restoreAllMocks();
	expect(exitCode, printed.join('\n')).toBe(0);
	return { result: v.parse(examResult, JSON.parse(readFileSync(file, 'utf8'))), printed: printed.join('\n') };
}

describe.each(languages)('a client in $name', (language) => {
	const [program = '', ...rest] = language.probe;
	const isThere = spawnSync(program, rest, { stdio: 'ignore' }).status === 0;

	it.for([1, 2, 3])('fails no rule with seed %i', { timeout: 400_000 }, async (seed, { skip }) => {
		skip(!isThere, `Needs the packages ${language.needs}.`);
		const { result, printed } = await examine(language, seed);
		expect(
			result.findings.filter(({ verdict }) => verdict === 'failed' || verdict === 'advice'),
			printed
		).toEqual([]);
		expect(result.counts.passed, printed).toBeGreaterThanOrEqual(40);
	});

	it.for(language.mistakes)('is found where it %s: %s', { timeout: 200_000 }, async ([mistake, rule], { skip }) => {
		skip(!isThere, `Needs the packages ${language.needs}.`);
		const seed = 1 + language.mistakes.findIndex(([name]) => name === mistake);
		const { result, printed } = await examine(language, seed, mistake, ['--only', rule]);
		expect(result.findings, printed).toMatchObject([{ rule, verdict: 'failed' }]);
	});
});
