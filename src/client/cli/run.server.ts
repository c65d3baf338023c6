import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ClientError, sanitizeLine, toClientError } from '../oauth/client-error.ts';
import { type CliClient, createCliClient, explainNoResponse, parseBaseUrl, requireTokens } from './client.server.ts';
import { commandFormatter, defaultProgramName, exitCodesHelp, localService, toCliError } from './cli-error.ts';
import { type CliEnvironment, formatTable, Terminal } from './terminal.server.ts';
import { login, type LoginOptions, openLoopbackListener } from './login.server.ts';
import { type RevocationResult, revokeAndDelete } from '../oauth/revocation.ts';
import type { RateLimit } from '../rate-limit/rate-limit-headers.ts';
import { parseCharacter, parseRateLimits } from '../parse-resources.ts';
import { characterPath, patterns } from '../service-urls.ts';
import { fetchWorld } from '../world.ts';

/**
 * Runs one command line.
 * @param args the command first
 * @param environment see `CliEnvironment`
 * @returns the exit code; results and errors have been written
 */
export async function runCli(args: readonly string[], environment: CliEnvironment): Promise<number> {
	let baseUrl = localService;
	let ca: string | undefined;
	let client: CliClient | undefined;
	const program = createProgram(environment, (options, redirect_uri) => {
		ca = options.ca;
		baseUrl = parseBaseUrl(options.baseUrl);
		return (client = createCliClient(baseUrl, options, environment, redirect_uri));
	});
	try {
		await program.parseAsync([...args], { from: 'user' });
		return 0;
	} catch (thrown) {
		if (thrown instanceof CommanderError && thrown.code.startsWith('commander.help')) {
			return thrown.exitCode === 0 ? 0 : 2;
		}
		let error = toUsageError(thrown) ?? toClientError(thrown);
		if (environment.interrupted.aborted) error = new ClientError('aborted');
		else if (client !== undefined) error = await explainNoResponse(error, client);
		const formatCommand = commandFormatter(
			baseUrl,
			error.code === 'ca_unreadable' ? undefined : ca,
			environment.programName
		);
		const cliError = toCliError(error, baseUrl, formatCommand);
		new Terminal(environment, args.includes('--json')).error(cliError);
		return cliError.exitCode;
	}
}

/** Commander writes `error: unknown option '--x'`. */
function toUsageError(thrown: unknown): ClientError | undefined {
	if (!(thrown instanceof CommanderError)) return undefined;
	const message = sanitizeLine(thrown.message.replace(/^error: /, ''));
	return new ClientError('invalid_command', `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`);
}

/** Options of every command. */
type SharedOptions = { readonly baseUrl: string; readonly ca?: string; readonly json?: true };

/** Creates the client for the options of a command. */
type OpenClient = (options: SharedOptions, redirect_uri?: string) => CliClient;

/**
 * Defines the commands, their options and their help.
 * @param environment gets the help texts
 * @param openClient called after the command line was checked
 * @returns a program whose errors are `CommanderError`s and are not yet printed
 */
function createProgram(environment: CliEnvironment, openClient: OpenClient): Command {
	const { env, stdout, stderr, programName = defaultProgramName } = environment;
	const program = new Command(programName)
		.description('Pocket Companion, an installed application of the service')
		.exitOverride()
		.configureOutput({
			writeOut: (text) => void stdout.write(text),
			writeErr: (text) => void stderr.write(text),
			outputError: () => undefined
		})
		.addHelpText('afterAll', `\n${exitCodesHelp}`);

	const command = (name: string, description: string) =>
		program
			.command(name)
			.description(description)
			.option('--base-url <url>', 'service to use, also TOLLGATE_URL', parseText, env.TOLLGATE_URL || localService)
			.option('--ca <file>', 'CA certificate to trust (PEM), default: that of a local Tollgate', parseText)
			.option('--json', 'write one line of JSON to standard output (with npm run -s)');

	command('login', 'Sign in with the browser')
		.addOption(
			new Option('--scope <names>', 'permissions to request, separated by spaces')
				.argParser(parseScope)
				.default(['character_read'], 'character_read')
		)
		.option('--online', 'request no refresh token')
		.option('--no-open', 'print the URL without opening the browser')
		.option('--timeout <seconds>', 'how long to wait for the browser', parseTimeout, 300)
		.action(async (options: SharedOptions & LoginOptions) => {
			const listener = await openLoopbackListener(new URL(parseBaseUrl(options.baseUrl)).origin);
			try {
				await login(openClient(options, listener.redirect_uri), listener, options);
			} finally {
				await listener.close();
			}
		});

	command('show', 'Show a character')
		.argument('<name...>', 'name of the character, such as "Half/Life"')
		.action(async (words: readonly string[], options: SharedOptions) => {
			const name = words.join(' ');
			if (name.trim() === '') throw new InvalidArgumentError("missing required argument 'name'");
			await show(openClient(options), name);
		});

	command('limits', 'Show rate limits').action(async (options: SharedOptions) => limits(openClient(options)));

	command('logout', 'Revoke access and delete tokens').action(async (options: SharedOptions) =>
		logout(openClient(options))
	);
	return program;
}

function parseText(value: string): string {
	if (value === '') throw new InvalidArgumentError('It is empty.');
	return value;
}

function parseScope(value: string): readonly string[] {
	const names = value.split(/[\s,]+/).filter((name) => name !== '');
	if (names.length === 0) throw new InvalidArgumentError('Name at least one permission.');
	return names;
}

function parseTimeout(value: string): number {
	const seconds = Number(value);
	if (!(seconds > 0 && seconds <= 3600)) throw new InvalidArgumentError('Use seconds, up to 3600.');
	return seconds;
}

/**
 * Shows a character.
 * @param name as the service spells it
 * @throws {ClientError} `not_signed_in`, `unexpected_response`, and those of `ResourceClient.get`
 */
async function show(client: CliClient, name: string): Promise<void> {
	const { credentials, resources, terminal, clock, environment } = client;
	const { id, scope } = await requireTokens(credentials);
	const request = { tokenSetId: id, pattern: patterns.character, signal: environment.interrupted };
	const { data, rateLimit, status } = await terminal.withSpinner(`Fetching ${sanitizeLine(name)} …`, () =>
		resources.get(characterPath(name), request)
	);
	// Without the words of the service all fields are still shown.
	const { permissions } = await fetchWorld(client.baseUrl, client.fetch).catch(() => ({ permissions: [] }));
	const character = parseCharacter(data, scope, permissions);
	if (character === undefined) throw new ClientError('unexpected_response', '', { status });
	const rows = character.fields.map(
		(field) => `  ${terminal.style('dim', sanitizeLine(field.name).padEnd(12))} ${sanitizeLine(field.value)}`
	);
	terminal.result(
		{ character: data, rate_limit: rateLimit === undefined ? null : inSeconds(rateLimit) },
		[terminal.style('bold', sanitizeLine(character.name)), ...rows].join('\n')
	);
	if (character.isOtherUsers) {
		terminal.note('This character belongs to another user. Only its public fields are visible.');
	} else if (character.missingPermissions.length > 0) {
		const all = [...scope, ...character.missingPermissions.map((permission) => permission.scope)].join(' ');
		terminal.note(`To see more fields, sign in with: ${client.formatCommand(`login --scope "${all}"`)}`);
	}
	if (rateLimit !== undefined) {
		const { limit, remaining, reset } = rateLimit;
		terminal.note(
			`${String(remaining)} of ${String(limit)} requests left, reset in ${formatDuration(reset - clock.now())}`
		);
	}
}

/**
 * Shows the rate limits. The request counts against its own.
 * @throws {ClientError} as `show`
 */
async function limits(client: CliClient): Promise<void> {
	const { credentials, resources, terminal, clock, environment } = client;
	const { id } = await requireTokens(credentials);
	const { data } = await terminal.withSpinner('Fetching limits …', () =>
		resources.get(patterns.ratelimits, { tokenSetId: id, signal: environment.interrupted })
	);
	const records = parseRateLimits(data);
	const now = clock.now();
	const rows = records.map(({ pattern, limit, remaining, reset, reset_time }) => [
		sanitizeLine(pattern),
		String(limit),
		String(remaining),
		`in ${formatDuration(reset - now)}`,
		sanitizeLine(reset_time)
	]);
	terminal.result(
		{ ratelimits: records.map(inSeconds) },
		formatTable([['PATTERN', 'LIMIT', 'LEFT', 'RESETS', 'AT'], ...rows])
	);
}

/**
 * Revokes access and deletes the tokens.
 * @throws {ClientError} as `revokeAndDelete`; the tokens stay then
 */
async function logout({ credentials, tokens, tokenEndpoint, fetch, terminal }: CliClient): Promise<void> {
	let result: RevocationResult | 'not_signed_in' = 'not_signed_in';
	const { client_secret } = tokenEndpoint.client;
	for (const { id } of await credentials.list()) {
		result = await terminal.withSpinner('Revoking access …', () =>
			revokeAndDelete(id, tokens, tokenEndpoint.provider, { fetch, client_secret })
		);
	}
	const deleted = result === 'not_signed_in' ? null : credentials.path;
	terminal.result({ signed_in: false, result, deleted }, logoutMessages[result]);
}

const logoutMessages = {
	revoked: 'Signed out. Access is revoked and the tokens are deleted.',
	already_revoked: 'Signed out. Access was already revoked. The tokens are deleted.',
	not_revocable:
		'The access token is deleted on this computer. It works until it expires, because only a refresh token can be revoked.',
	not_signed_in: 'You were not signed in.'
} as const;

function inSeconds<T extends RateLimit>(rateLimit: T): T {
	return { ...rateLimit, reset: Math.round(rateLimit.reset / 1000) };
}

/** `59 min`, `42 s`. */
function formatDuration(milliseconds: number): string {
	const seconds = Math.max(0, Math.round(milliseconds / 1000));
	return seconds < 100 ? `${String(seconds)} s` : `${String(Math.round(seconds / 60))} min`;
}
