import { Option, type Command } from 'commander';
import { dialectNames, dialects, type DialectName } from '#api/dialect.ts';
import type { ExamResult } from '#api/exam.ts';
import { isLeftOut } from '#evidence/provider-rules.ts';
import { unknownRule } from '#exam/order.ts';
import { probesOf } from '#exam/probe-list.ts';

/** The command line is wrong. Its message is for the developer. */
export class UsageError extends Error {
	override name = 'UsageError';
}

/** What the help says besides the options. */
export const examHelp = `The client gets TOLLGATE_BASE_URL, TOLLGATE_CLIENT_ID, TOLLGATE_CLIENT_SECRET and TOLLGATE_REDIRECT_URI, and trusts
the certificate of the service by NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE.

Exit codes:
  0    no rule of --fail-on failed
  1    a rule of --fail-on failed
  2    wrong usage
  3    the client did not start or sign in, sent no call that worked, or too many requests, or the service ended
  4    the time limit was reached
  130  the user pressed Ctrl+C`;

/** The options of `tollgate exam`, unchanged. */
export type Given = {
	readonly signIn?: string;
	readonly client?: 'mcp';
	readonly use?: string;
	readonly signOut?: string;
	readonly callback?: readonly string[];
	readonly kind: 'web' | 'installed';
	readonly url?: string;
	readonly key?: string;
	readonly seed: string;
	readonly only?: string;
	readonly skip?: string;
	readonly failOn: '1' | '2' | '3' | 'never';
	readonly junit?: string;
	readonly json?: string;
	readonly env: readonly string[];
	readonly dialect: DialectName;
	readonly as?: string;
	readonly strict: boolean;
	readonly timeLimit?: string;
};

/** What the developer chose, validated. */
export type Choices = {
	/** URLs of pages, or command lines. */
	readonly signIn: string;
	readonly use: string | undefined;
	readonly signOut: string | undefined;
	/** Empty for an installed client that was registered with the two URIs of every such client. */
	readonly redirectUris: readonly string[];
	readonly kind: 'web' | 'installed';
	readonly url: string | undefined;
	readonly key: string | undefined;
	readonly seed: number;
	readonly only: readonly string[] | undefined;
	readonly skip: readonly string[] | undefined;
	/** The least severe rules that fail the exam: 3 for all, 0 for none. */
	readonly failOn: number;
	readonly junit: string | undefined;
	readonly json: string | undefined;
	/** Further variables of the client, with placeholders. */
	readonly variables: ReadonlyMap<string, string>;
	readonly dialect: DialectName;
	/** The name of a simulated provider. */
	readonly provider: string | undefined;
	readonly strict: boolean;
	/** In milliseconds. Undefined: by the speed of the client. */
	readonly timeLimit: number | undefined;
	/** Starts the client. Empty if it runs already, or if each action is a command. */
	readonly command: readonly string[];
};

/** The placeholders of `--env`. */
export const placeholders = ['base_url', 'client_id', 'client_secret', 'redirect_uri', 'ca_file'] as const;

const oob = 'urn:ietf:wg:oauth:2.0:oob';

/** Adds the options to the command. */
export function addOptions(command: Command): Command {
	const collect = (value: string, previous: readonly string[] = []) => [...previous, value];
	const join = (value: string, previous?: string) => (previous === undefined ? value : `${previous},${value}`);
	return command
		.option('--sign-in <URL|command>', 'page of the client that starts a sign-in')
		.option('--use <URL|command>', 'page that reads a resource. {name} is its name, else the parameter name is added')
		.option('--sign-out <URL|command>', 'page that signs the user out')
		.option(
			'--callback <URI>',
			'redirect URI of the client, once for each (default: /callback at the sign-in page)',
			collect
		)
		.addOption(
			new Option('--client <kind>', 'examine an agent by the command behind the dashes, in place of --sign-in').choices(
				['mcp']
			)
		)
		.addOption(new Option('--kind <kind>', 'kind of the client').choices(['web', 'installed']).default('web'))
		.option('--url <URL>', 'server that runs already (default: one is started)')
		.option('--key <key>', 'key that may create sandboxes there')
		.option('--seed <number>', 'decides the order of the steps', '1')
		.option('--only <rules>', 'rules to judge, such as request.*,callback.denial', join)
		.option('--skip <rules>', 'rules to leave out', join)
		.addOption(
			new Option('--fail-on <severity>', 'least severe rule that makes the exit code 1')
				.choices(['1', '2', '3', 'never'])
				.default('2')
		)
		.option('--junit <file>', 'write the result as JUnit XML')
		.option('--json <file>', 'write the result as JSON')
		.option(
			'--env <NAME=value>',
			`variable of the client. ${placeholders.map((name) => `{${name}}`).join(', ')} are replaced`,
			collect,
			[]
		)
		.addOption(
			new Option('--dialect <dialect>', 'what the client expects: standard for any OAuth library')
				.choices([...dialectNames])
				.default('specification')
		)
		.option('--as <provider>', 'simulated provider that the client knows by its real URLs, such as github')
		.option('--no-strict', 'accept Bearer tokens and HTTP Basic, for libraries that insist on them')
		.option('--time-limit <seconds>', 'longest time of the exam (default: 300, more for a slow client)');
}

/**
 * Validates the options.
 * @param given by commander
 * @param command what starts the client
 * @throws UsageError with the option and what is wrong
 */
export function readChoices({ signIn, ...rest }: Given, command: readonly string[]): Choices {
	if (signIn === undefined)
		throw new UsageError(
			'--sign-in is missing: the page of the client that starts a sign-in. Agents need --client mcp.'
		);
	const given = { ...rest, signIn };
	if (given.as !== undefined && (given.kind === 'installed' || given.url !== undefined))
		throw new UsageError('--as examines web clients, by a service that the exam starts. Leave out --kind and --url.');
	const { kind, use, signOut, url, key } = given;
	const actions = [signIn, use, signOut].filter((action) => action !== undefined);
	if (kind === 'web' && !actions.every(isPage))
		throw new UsageError(
			'--sign-in, --use and --sign-out are URLs, such as http://localhost:3000/login. Only clients of the kind installed have commands.'
		);
	if (url !== undefined && !isPage(url)) throw new UsageError('--url must be a URL, such as https://tollgate.example.');
	return {
		kind,
		signIn,
		use,
		signOut,
		url,
		key,
		redirectUris: redirectUrisOf(given),
		seed: wholeNumber('--seed', given.seed, 0, 0xffff_ffff),
		only: rulesOf('--only', given.only),
		skip: rulesOf('--skip', given.skip),
		failOn: readSeverity(given),
		junit: given.junit,
		json: given.json,
		variables: new Map(given.env.map(readVariable)),
		dialect: given.as === undefined ? given.dialect : 'standard',
		provider: given.as,
		strict: given.strict,
		timeLimit: given.timeLimit === undefined ? undefined : wholeNumber('--time-limit', given.timeLimit, 1, 3600) * 1000,
		command
	};
}

/** The least severe rules that fail the exam: 3 for all, 0 for none. */
export function readSeverity({ failOn }: Pick<Given, 'failOn'>): number {
	return failOn === 'never' ? 0 : Number(failOn);
}

/** Whether an action of the client is a page. Otherwise it is a command line. */
export function isPage(action: string): boolean {
	return /^https?:\/\//i.test(action) && URL.canParse(action);
}

function redirectUrisOf({ callback, kind, signIn, dialect }: Given & { readonly signIn: string }): readonly string[] {
	if (kind === 'web') {
		const uris = callback ?? [new URL('/callback', signIn).href];
		if (uris.every(isPage)) return uris;
		throw new UsageError('--callback must be a URL, such as http://localhost:3000/callback.');
	}
	const { loopback, outOfBand } = dialects[dialect];
	const hosts =
		loopback === 'any'
			? /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/
			: /^http:\/\/localhost(?::\d+)?(?:\/|$)/;
	const isKnown = (uri: string) => (outOfBand && uri === oob) || hosts.test(uri);
	if (callback === undefined || callback.every(isKnown)) return callback ?? [];
	const known = outOfBand
		? `http://localhost with any port, or ${oob}`
		: 'http://127.0.0.1 or http://localhost with any port';
	throw new UsageError(`--callback of an installed client is ${known}.`);
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
	const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
	if (number >= least && number <= most) return number;
	throw new UsageError(`${option} must be a whole number from ${least} to ${most}.`);
}

/**
 * The rules of an option.
 * @param rules ids of those that there are. Default: those about clients
 * @throws UsageError for a rule that does not exist
 */
export function rulesOf(option: string, text: string | undefined, rules?: readonly string[]): string[] | undefined {
	const items = text
		?.split(',')
		.map((item) => item.trim())
		.filter((item) => item !== '');
	const unknown = unknownRule(items ?? [], rules);
	const list = rules === undefined ? '/docs/exam' : '/docs/agents';
	if (unknown !== undefined)
		throw new UsageError(`${option}: no rule is called ${unknown}. Choose from those that ${list} lists.`);
	return items === undefined || items.length === 0 ? undefined : items;
}

function readVariable(text: string): [string, string] {
	const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
	if (name === undefined || value === undefined)
		throw new UsageError('--env takes NAME=value, such as OAUTH_URL={base_url}.');
	return [name, value];
}

/** The result, where rules that an option of the command would show name that option. */
export function nameOptions(result: ExamResult, choices: Choices): ExamResult {
	const findings = result.findings.map((finding) => {
		const isMissed = finding.verdict === 'not_shown' && !isLeftOut(finding);
		const option = isMissed ? missingOption(finding.rule, choices) : undefined;
		return option === undefined ? finding : { ...finding, text: `Not shown. Needs: ${option}.` };
	});
	return { ...result, findings };
}

function missingOption(rule: string, { use, signOut, kind }: Choices): string | undefined {
	if (rule === 'request.navigated') return 'a real browser: open /exam';
	if (rule.startsWith('installed.') && kind === 'web') return '--kind installed';
	if (rule.startsWith('signout.') && signOut === undefined) return '--sign-out';
	const probes = probesOf(rule);
	const needsUse =
		rule.startsWith('call.') || probes.some(({ startsSignedIn, needs }) => startsSignedIn ?? needs === 'a call');
	return use === undefined && needsUse ? '--use' : undefined;
}
