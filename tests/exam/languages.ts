import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { examResult, type ExamResult } from '#api/exam.ts';
import { freePort } from '../tooling/exam/free-port.ts';

const root = join(import.meta.dirname, '../..');
const script = (name: string) => join(root, 'tests/exam/programs', name);
// Debian's packages belong to Debian's Python.
const python = '/usr/bin/python3';

/** A client of another language. */
export type Language = {
	readonly name: string;
	readonly language: string;
	/** Debian's packages, and what tells whether this machine has them. */
	readonly needs: string;
	readonly probe: readonly string[];
	/**
	 * What starts the client at a port. A command line client has options of the exam in place of it.
	 * @param data a folder for what the client writes, such as its program
	 */
	readonly command: (port: number, mistake: string, data: string) => readonly string[];
	readonly isInstalled?: true;
	/** Each with a rule that it breaks. */
	readonly mistakes: readonly (readonly [mistake: string, rule: string])[];
};

const open = ['state is not compared', 'callback.foreign_code'] as const;
const limit = ['ignores the limit', 'limit.stop_at_zero'] as const;
const lock = ['refreshes without a lock', 'token.one_refresh'] as const;
const forgets = ['forgets the new access token', 'token.one_refresh'] as const;

export const languages: readonly Language[] = [
	{
		name: 'Java and HttpURLConnection',
		language: 'Java',
		needs: 'default-jdk-headless',
		probe: ['javac', '-version'],
		command: (port, mistake) => ['java', script('WebClient.java'), String(port), mistake],
		mistakes: [open, limit, lock]
	},
	{
		name: 'Go',
		language: 'Go',
		needs: 'golang-go',
		probe: ['go', 'version'],
		command: (port, mistake) => ['go', 'run', script('web_client.go'), String(port), mistake],
		mistakes: [open, limit, lock]
	},
	{
		name: 'C# and HttpClient',
		language: 'C#',
		needs: 'mono-mcs, mono-runtime and libmono-system-net-http4.0-cil',
		probe: ['sh', '-c', 'command -v mcs && command -v mono'],
		command: (port, mistake, data) => {
			const compile = 'mcs -r:System.Net.Http.dll -out:"$0" "$1" && exec mono "$0" "$2" "$3"';
			return ['sh', '-c', compile, join(data, 'client.exe'), script('WebClient.cs'), String(port), mistake];
		},
		mistakes: [open, limit, lock]
	},
	{
		name: 'PHP and several processes',
		language: 'PHP',
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
		language: 'Perl',
		needs: 'libio-socket-ssl-perl',
		probe: ['perl', '-MIO::Socket::SSL', '-e', '1'],
		command: (port, mistake) => ['perl', script('web_client.pl'), String(port), mistake],
		mistakes: [open, limit, forgets]
	},
	{
		name: 'Python and requests-oauthlib',
		language: 'Python',
		needs: 'python3-requests-oauthlib',
		probe: [python, '-c', 'import requests_oauthlib'],
		command: (port, mistake) => pythonClient(port, mistake, 'requests-oauthlib'),
		mistakes: [open, limit, forgets]
	},
	{
		name: 'Python and Authlib',
		language: 'Python',
		needs: 'python3-authlib and python3-requests',
		probe: [python, '-c', 'import authlib, requests'],
		command: (port, mistake) => pythonClient(port, mistake, 'authlib'),
		mistakes: [open, limit, forgets]
	},
	{
		name: 'Ruby and the gem oauth2',
		language: 'Ruby',
		needs: 'ruby-oauth2 and ruby-webrick',
		probe: ['ruby', '-e', 'require "oauth2"; require "webrick"'],
		command: (port, mistake) => ['env', `EXAM_MISTAKE=${mistake}`, 'ruby', script('web_client.rb'), String(port)],
		mistakes: [open, limit, forgets]
	},
	{
		name: 'curl and a code that the user copies',
		language: 'shell',
		needs: 'curl and openssl',
		probe: ['sh', '-c', 'command -v curl && command -v openssl && command -v flock'],
		command: (_port, mistake, data) => {
			const client = `env 'EXAM_MISTAKE=${mistake}' sh ${script('curl-client.sh')} ${data}`;
			return [
				...['--kind', 'installed', '--callback', 'urn:ietf:wg:oauth:2.0:oob'],
				...['--sign-in', `${client} login`, '--use', `${client} show '{name}'`, '--sign-out', `${client} logout`]
			];
		},
		isInstalled: true,
		mistakes: [limit, forgets]
	}
];

function pythonClient(port: number, mistake: string, library: string): string[] {
	return ['env', `EXAM_MISTAKE=${mistake}`, python, script('web_client.py'), String(port), library];
}

/** Whether this machine can run it. */
export function isInstalledHere({ probe: [program = '', ...rest] }: Language): boolean {
	return spawnSync(program, rest, { stdio: 'ignore' }).status === 0;
}

/** The result of the exam command. What the program prints is shown where a test fails. */
export type Examined = { readonly result: ExamResult; readonly printed: string; readonly exitCode: number };

/** Examines a client by the built command. @param only options */
export async function examineProgram(
	{ command, isInstalled }: Language,
	seed: number,
	mistake = '',
	only: readonly string[] = []
): Promise<Examined> {
	const data = await mkdtemp(join(tmpdir(), 'tollgate-'));
	try {
		const port = await freePort();
		const file = join(data, 'exam.json');
		const page = `http://localhost:${port}`;
		const urls = ['--sign-in', `${page}/login`, '--use', `${page}/me`, '--sign-out', `${page}/logout`, '--'];
		const client = [...(isInstalled ? [] : urls), ...command(port, mistake, data)];
		const exam = ['build/host/tollgate.js', 'exam', '--seed', String(seed), '--json', file, ...only, ...client];
		const options = { cwd: root, env: { ...process.env, NODE_OPTIONS: '' } };
		const { printed, exitCode } = await new Promise<{ printed: string; exitCode: number }>((resolve) => {
			const child = execFile(process.execPath, exam, options, (_error, stdout, stderr) =>
				resolve({ printed: stdout + stderr, exitCode: child.exitCode ?? -1 })
			);
		});
		return { result: v.parse(examResult, JSON.parse(await readFile(file, 'utf8'))), printed, exitCode };
	} finally {
		await rm(data, { recursive: true, force: true });
	}
}
