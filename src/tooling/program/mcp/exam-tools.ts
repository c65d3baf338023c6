import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { dialectNames } from '#api/dialect.ts';
import { examResult, type ExamResult } from '#api/exam.ts';
import { explanationOf } from '#evidence/explanations/explanation-of.ts';
import { resultText, ToolError, type Arguments, type Tool } from './tool.ts';

const text = (description: string) => ({ type: 'string', description });

/** The tools for the exam of a client. It runs as another process, because this one speaks with the agent by its output. */
export class ExamTools {
	readonly #program: readonly string[];
	#latest: ExamResult | undefined;

	/** @param program starts `tollgate`, for example `['node', 'tollgate.js']` */
	constructor(program: readonly string[]) {
		this.#program = program;
	}

	get tools(): Tool[] {
		return [
			{
				name: 'run_exam',
				description:
					'Examine an OAuth client: starts it, signs a user in, behaves in unusual but legal ways, and returns what the client does wrong. Takes about a minute. The client gets TOLLGATE_BASE_URL, TOLLGATE_CLIENT_ID, TOLLGATE_CLIENT_SECRET and TOLLGATE_REDIRECT_URI.',
				inputSchema: {
					type: 'object',
					properties: {
						command: { type: 'array', items: { type: 'string' }, description: 'Starts the client: ["npm","start"].' },
						sign_in: text('URL of the page that starts a sign-in.'),
						use: text('URL of the page that reads a resource. {name} is its name.'),
						sign_out: text('URL of the page that signs the user out.'),
						callback: text('Redirect URI. Default: /callback at the sign-in page.'),
						dialect: {
							type: 'string',
							enum: dialectNames,
							description: 'What the client expects: standard for any OAuth library. Default: specification.'
						},
						only: text('Rules to judge, such as request.*,callback.denial'),
						seed: text('Decides the order of the steps. Default: 1.')
					},
					required: ['command', 'sign_in'],
					additionalProperties: false
				},
				annotations: { readOnlyHint: false, destructiveHint: false },
				call: (args) => this.#run(args)
			},
			{
				name: 'read_findings',
				description:
					'Read the findings of the latest exam. With a rule: why it matters, with wrong and right code, and the ids of the requests that show it.',
				inputSchema: {
					type: 'object',
					properties: { rule: text('Id of a rule: token.one_refresh') },
					required: [],
					additionalProperties: false
				},
				annotations: { readOnlyHint: true, destructiveHint: false },
				call: async (args) => resultText(this.#findings(args))
			}
		];
	}

	async #run({ command, ...options }: Arguments): Promise<string> {
		const folder = await mkdtemp(join(tmpdir(), 'tollgate-mcp-'));
		const file = join(folder, 'exam.json');
		const words = Array.isArray(command) ? command.map(String) : [];
		const given = Object.entries(options).flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, String(value)]);
		const [program = '', ...args] = [...this.#program, 'exam', '--json', file, ...given, '--', ...words];
		try {
			const printed = await output(program, args);
			this.#latest = parseResult(await readFile(file, 'utf8').catch(() => ''));
			return printed;
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	}

	#findings({ rule }: Arguments): object {
		if (this.#latest === undefined) throw new ToolError('There is no result. Call run_exam first.');
		if (rule === undefined) return this.#latest;
		const finding = this.#latest.findings.find((one) => one.rule === rule);
		if (finding === undefined) throw new ToolError('The latest exam has no such rule.');
		return { ...finding, ...explanationOf(finding.rule, this.#latest.dialect) };
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
