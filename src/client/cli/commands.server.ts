import { Command, InvalidArgumentError, Option } from 'commander';
import { parseBaseUrl, type CliClient } from './client.server.ts';
import { exitCodesHelp } from './cli-error.ts';
import { defaultProgramName, localService } from './format-command.ts';
import { limits, logout, show } from './handlers.server.ts';
import { login, type LoginOptions } from './login.server.ts';
import { openLoopbackListener } from './loopback-listener.server.ts';
import type { CliEnvironment } from './terminal.server.ts';

/** Options of every command. */
export type SharedOptions = { readonly baseUrl: string; readonly ca?: string; readonly json?: true };

/** Creates the client for the options of a command. */
export type OpenClient = (options: SharedOptions, redirect_uri?: string) => CliClient;

/**
 * Defines the commands, their options and their help.
 * @param environment gets the help texts
 * @param openClient called after the command line was checked
 * @returns a program whose errors are `CommanderError`s and are not yet printed
 */
export function createProgram(environment: CliEnvironment, openClient: OpenClient): Command {
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
