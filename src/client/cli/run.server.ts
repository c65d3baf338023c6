import { CommanderError } from 'commander';
import { ClientError, sanitizeLine, toClientError } from '../oauth/client-error.ts';
import { createCliClient, explainNoResponse, parseBaseUrl, type CliClient } from './client.server.ts';
import { createProgram } from './commands.server.ts';
import { toCliError } from './cli-error.ts';
import { commandFormatter, localService } from './format-command.ts';
import { Terminal, type CliEnvironment } from './terminal.server.ts';

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
