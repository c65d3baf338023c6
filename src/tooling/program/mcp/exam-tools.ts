import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { dialectNames } from '#api/dialect.ts';
import { examResult, type ExamResult } from '#api/exam.ts';
import { explanationOf } from '#evidence/rule-explanations.ts';
import { splitCommand } from '../client-exam/client-process.ts';
import { defineTool, resultText, ToolError, type Tool } from './tool.ts';

/** A text that is no option of the command. */
const value = (description: string) =>
	v.pipe(v.string(), v.nonEmpty(), v.regex(/^(?!-)/, 'Must not begin with a dash.'), v.description(description));

/** What an agent may choose about an exam. Files that the command can write, and other services, are not among it. */
const examInput = v.strictObject({
	command: v.exactOptional(
		v.pipe(
			v.union(
				[v.pipe(v.string(), v.nonEmpty()), v.pipe(v.array(v.string()), v.minLength(1))],
				'Must be a list of words, or a command line such as npm start.'
			),
			v.description('Starts the client: ["npm","start"], or "npm start". An installed client needs none.')
		)
	),
	sign_in: value('URL of the page that starts a sign-in. Of an installed client: a command line.'),
	use: v.exactOptional(value('URL of the page that reads a resource. {name} is its name.')),
	sign_out: v.exactOptional(value('URL of the page that signs the user out.')),
	callback: v.exactOptional(
		v.pipe(
			v.union(
				[value('A redirect URI.'), v.array(value('A redirect URI.'))],
				'Must be a redirect URI, or a list of them.'
			),
			v.description('Redirect URI, or several. Default: /callback at the sign-in page.')
		)
	),
	kind: v.exactOptional(v.pipe(v.picklist(['web', 'installed']), v.description('Kind of the client. Default: web.'))),
	dialect: v.exactOptional(
		v.pipe(
			v.picklist(dialectNames),
			v.description('What the client expects: standard for any OAuth library. Default: specification.')
		)
	),
	strict: v.exactOptional(
		v.pipe(v.boolean(), v.description('False: accept Bearer tokens and HTTP Basic, for libraries that insist on them.'))
	),
	env: v.exactOptional(
		v.pipe(
			v.record(v.pipe(v.string(), v.regex(/^[A-Za-z_]\w*$/, 'Must be the name of a variable.')), v.string()),
			v.description('Variables of the client: {"OAUTH_URL":"{base_url}"}')
		)
	),
	only: v.exactOptional(value('Rules to judge, such as request.*,callback.denial')),
	seed: v.exactOptional(
		v.pipe(v.union([v.string(), v.number()]), v.description('Decides the order of the steps. Default: 1.'))
	)
});

/** The options of the command. Each is one word with its value, so that no value can be another option. */
function optionsOf({ kind, dialect, strict, env = {}, callback = [], only, seed, ...urls }: ExamInput): string[] {
	const { sign_in, use, sign_out } = urls;
	const given = Object.entries({ 'sign-in': sign_in, use, 'sign-out': sign_out, kind, dialect, only, seed });
	return [
		...given.flatMap(([name, text]) => (text === undefined ? [] : `--${name}=${text}`)),
		...[callback].flat().map((uri) => `--callback=${uri}`),
		...Object.entries(env).map(([name, text]) => `--env=${name}=${text}`),
		...(strict === false ? ['--no-strict'] : [])
	];
}

type ExamInput = Omit<v.InferOutput<typeof examInput>, 'command'>;

/** The tools for the exam of a client. It runs as another process, because this one speaks with the agent by its output. */
export class ExamTools {
	readonly #program: readonly string[];
	#latest: { readonly result: ExamResult | undefined; readonly printed: string } | undefined;

	/** @param program starts `tollgate`, for example `['node', 'tollgate.js']` */
	constructor(program: readonly string[]) {
		this.#program = program;
	}

	get tools(): Tool[] {
		return [
			defineTool({
				name: 'run_exam',
				description:
					'Examine an OAuth client: runs the command on this machine, signs a user in, behaves in unusual but legal ways, and returns what the client does wrong. Takes about a minute. The client gets TOLLGATE_BASE_URL, TOLLGATE_CLIENT_ID, TOLLGATE_CLIENT_SECRET and TOLLGATE_REDIRECT_URI.',
				input: examInput,
				annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
				call: ({ command = [], ...options }) => this.#run(command, options)
			}),
			defineTool({
				name: 'read_findings',
				description:
					'Read the findings of the latest exam. With a rule: why it matters, with wrong and right code, and the ids of the requests that show it.',
				input: v.strictObject({
					rule: v.exactOptional(v.pipe(v.string(), v.description('Id of a rule: token.one_refresh')))
				}),
				annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
				call: async ({ rule }) => resultText(this.#findings(rule))
			})
		];
	}

	async #run(command: string | readonly string[], options: ExamInput): Promise<string> {
		const folder = await mkdtemp(join(tmpdir(), 'tollgate-mcp-'));
		const file = join(folder, 'exam.json');
		const words = typeof command === 'string' ? splitCommand(command) : command;
		const [program = '', ...args] = [
			...this.#program,
			'exam',
			`--json=${file}`,
			...optionsOf(options),
			...(words.length === 0 ? [] : ['--', ...words])
		];
		try {
			const printed = await output(program, args);
			this.#latest = { result: parseResult(await readFile(file, 'utf8').catch(() => '')), printed };
			return printed;
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	}

	#findings(rule: string | undefined): object | string {
		if (this.#latest === undefined) throw new ToolError('There is no result. Call run_exam first.');
		const { result, printed } = this.#latest;
		if (rule === undefined) return printed;
		const finding = result?.findings.find((one) => one.rule === rule);
		if (finding === undefined) throw new ToolError('The latest exam has no such rule.');
		return { ...finding, ...explanationOf(finding.rule, result?.dialect) };
	}
}

function parseResult(json: string): ExamResult | undefined {
	return json === '' ? undefined : v.parse(examResult, JSON.parse(json));
}

/** What a program prints, whatever its exit code is. */
function output(program: string, args: readonly string[]): Promise<string> {
	return new Promise((resolve) => {
		execFile(program, args, { env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 10e6 }, (_error, stdout, stderr) =>
			resolve(`${stdout}${stderr}`)
		).stdin?.end();
	});
}
