import { describeError } from '../errors.ts';
import { type ClientError, sanitizeLine } from '../oauth/client-error.ts';
import { serviceUrls } from '../service-urls.ts';

/**
 * What the command line says about an error. `{name}` is a value of the moment, `{companion ARGUMENTS}` a
 * command as the user has to type it. `backticks` mark code.
 */
export type CliErrorText = {
	readonly title: string;
	readonly cause: string;
	readonly fix: string;
	/** Absent: 1. */
	readonly exitCode?: number;
};

export const exitCodes = [
	[0, 'success'],
	[1, 'the service rejected the request, or another error'],
	[2, 'invalid command'],
	[3, 'not signed in, or access has ended'],
	[4, 'the user denied access'],
	[5, 'no response from the browser or the service'],
	[6, 'rate limit reached'],
	[130, 'interrupted (Ctrl-C)']
] as const;

/** Errors that only the command line has, or that it describes in its own way. */
export const cliErrors = {
	invalid_command: {
		title: 'Invalid command',
		cause: '{message}',
		fix: 'See {companion --help}',
		exitCode: 2
	},
	plain_http: {
		title: 'http://{host} is not encrypted',
		cause: 'Tokens are only sent over HTTPS (section 4). Nothing was sent.',
		fix: 'Use HTTPS: `--base-url https://{tls_host}`',
		exitCode: 2
	},
	ca_unreadable: {
		title: 'Can’t read the CA certificate',
		cause: '{file} is missing or contains no certificate.',
		fix: 'Use a PEM file.',
		exitCode: 2
	},
	not_signed_in: {
		title: 'Not signed in',
		cause: 'No tokens for {base_url} are stored on this computer.',
		fix: 'Sign in: {companion login}',
		exitCode: 3
	},
	browser_timeout: {
		title: 'No response from the browser',
		cause: 'The sign-in did not finish in time. Nothing was exchanged or stored.',
		fix: 'Try again with more time: {companion login --timeout 900}',
		exitCode: 5
	},
	unreachable: {
		title: 'Can’t connect to {origin}',
		cause: 'The connection failed.',
		fix: 'Start the server with `npm start` or `npx tollgate`, or use another service with `--base-url URL`.',
		exitCode: 5
	},
	untrusted: {
		title: 'The certificate of {origin} is not trusted',
		cause: 'No known CA signed it, so nothing was sent.',
		fix: 'If this is your service, add its CA certificate with `--ca FILE`. The server stores it as `tls/ca.pem` in its data folder.',
		exitCode: 5
	},
	no_tls: {
		title: '{origin} does not use TLS',
		cause: 'The server at this address is not this kind of service.',
		fix: 'Check `--base-url`.',
		exitCode: 5
	},
	blacklisted: {
		title: 'This address is blacklisted',
		cause: 'The service only responds to `/ratelimiting`. It says: {reason}',
		fix: 'File a support ticket: {support_url}',
		exitCode: 5
	},
	credentials_unreadable: {
		title: 'Can’t read the stored tokens',
		cause: '{file} is damaged, or you have no permission to read it.',
		fix: 'Delete the file and sign in again. To revoke the earlier access, open {account_url}'
	},
	credentials_unwritable: {
		title: 'Can’t store the tokens',
		cause: 'Writing to {file} failed: {system_error}.',
		fix: 'Free the path or set `XDG_CONFIG_HOME` to another folder. Then sign in: {companion login}'
	},
	aborted: {
		title: 'Stopped',
		cause: 'You interrupted the command.',
		fix: 'Run it again.',
		exitCode: 130
	},
	not_found: {
		title: 'Character not found',
		cause: 'Names must match exactly.',
		fix: 'Quote names that contain special characters: {companion show "Half/Life"}'
	},
	client_error: {
		title: 'Unexpected error',
		cause: '{message}',
		fix: 'Report it with the command that you ran.'
	}
} as const satisfies Readonly<Record<string, CliErrorText>>;

/** An error as the command line reports it. Everything but the exit code is in the JSON. */
export type CliError = {
	readonly code: string;
	readonly title: string;
	readonly reason: string;
	readonly next_step: string;
	readonly section?: string | undefined;
	/** What the service said. */
	readonly description?: string | undefined;
	/** HTTP status. */
	readonly status?: number | undefined;
	/** When a retry makes sense, in seconds since 1970 by the service's clock. */
	readonly retry_at?: number | undefined;
	readonly exitCode: number;
};

/** The table in `--help`. */
export const exitCodesHelp = `Exit codes:\n${exitCodes.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}`;

/**
 * Describes an error: what happened, why, and what to type next.
 * @param baseUrl of the service
 */
export function toCliError(error: ClientError, baseUrl: string, formatCommand: FormatCommand): CliError {
	const code = connectionErrorCode(error) ?? error.code;
	const own = ownText(error, code, baseUrl, formatCommand);
	const shared = describeError(error);
	return {
		code,
		title: own?.title ?? shared.title,
		reason: own?.cause ?? shared.cause,
		next_step: own?.fix ?? nextStep(error, baseUrl, formatCommand),
		exitCode: own?.exitCode ?? shared.exitCode ?? 1,
		section: own === undefined ? shared.section : undefined,
		description: own === undefined && error.message !== '' ? sanitizeLine(error.message) : undefined,
		status: error.status,
		retry_at: error.retryAt === undefined ? undefined : Math.ceil(error.retryAt / 1000)
	};
}

/** Tells why the connection failed, if it did. */
function connectionErrorCode({ code, cause }: ClientError): string | undefined {
	return ['no_response', 'exchange_unknown', 'refresh_failed'].includes(code) ? failureOf(cause) : undefined;
}

/**
 * Why `fetch` got no response.
 * @param cause the error that it threw
 * @returns undefined if the connection itself did not fail
 */
export function failureOf(cause: unknown): 'unreachable' | 'untrusted' | 'no_tls' | undefined {
	const reason = systemErrorCode(cause) ?? '';
	if (/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(reason)) return 'unreachable';
	if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(reason)) return 'untrusted';
	return reason === 'EPROTO' || reason.startsWith('ERR_SSL') ? 'no_tls' : undefined;
}

function systemErrorCode(cause: unknown): string | undefined {
	if (!(cause instanceof Error)) return undefined;
	if ('code' in cause && typeof cause.code === 'string' && /^[A-Z_]+$/.test(cause.code)) return cause.code;
	// A host name with two addresses: both were tried.
	return systemErrorCode(cause instanceof AggregateError ? cause.errors[0] : cause.cause);
}

const cliErrorTexts: ReadonlyMap<string, CliErrorText> = new Map<string, CliErrorText>(Object.entries(cliErrors));

/** The command line's own text for an error, with the values of the moment. */
function ownText(
	{ message, cause }: ClientError,
	code: string,
	baseUrl: string,
	formatCommand: FormatCommand
): CliErrorText | undefined {
	const text = cliErrorTexts.get(code);
	if (text === undefined) return undefined;
	const { account, support } = serviceUrls(baseUrl);
	const values: Readonly<Record<string, string>> = {
		message,
		reason: message,
		file: message,
		host: message,
		tls_host: message.replace(/^([^/]+):\d+(?=\/|$)/, '$1'),
		base_url: baseUrl,
		origin: new URL(baseUrl).origin,
		account_url: account,
		support_url: support,
		system_error: systemErrorCode(cause) ?? 'unknown error'
	};
	const fill = (template: string) =>
		template
			.replaceAll('`', '')
			.replace(/\{(?:companion ([^}]+)|(\w+))\}/g, (_, command: string | undefined, name: string = '') =>
				command === undefined ? (values[name] ?? '') : formatCommand(command)
			);
	return { ...text, title: fill(text.title), cause: fill(text.cause), fix: fill(text.fix) };
}

/** What a page would offer as a button, as something to type. */
function nextStep(error: ClientError, baseUrl: string, formatCommand: FormatCommand): string {
	const { code, retryAt } = error;
	const { action, fix: fallback } = describeError(error);
	const { ratelimiting, support } = serviceUrls(baseUrl);
	const clock = code === 'rate_limit_exceeded' ? ' by the service’s clock' : '';
	const time = retryAt === undefined ? undefined : new Date(retryAt).toISOString().replace(/\.\d+Z$/, 'Z');
	const steps: Readonly<Record<typeof action, string>> = {
		'sign-in': `Sign in again: ${formatCommand('login')}`,
		wait: time === undefined ? fallback : `Try again after ${time}${clock}.`,
		support: `Check ${ratelimiting}. If this address is blacklisted, file a support ticket: ${support}`,
		settings: 'Check that Pocket Companion is registered at this service, and check --base-url.',
		retry: 'Try again in a moment.',
		none: 'Report it with the command that you ran.'
	};
	return steps[action];
}

/** How users start the program from the project's folder. */
export const defaultProgramName = 'npm run companion --';
/** The service that `npm start` starts. */
export const localService = 'https://localhost:8443';

/** Writes a command as the user has to type it for the same service. */
type FormatCommand = (command: string) => string;

/**
 * Returns what writes commands for a service.
 * @param baseUrl of the service
 * @param ca the file of `--ca`
 * @param programName how users start the program
 */
export function commandFormatter(
	baseUrl: string,
	ca: string | undefined,
	programName = defaultProgramName
): FormatCommand {
	const service = baseUrl === localService ? '' : ` --base-url ${baseUrl}`;
	const trust = ca === undefined ? '' : ` --ca ${/^[\w./:~\\-]+$/.test(ca) ? ca : `"${ca}"`}`;
	return (command) => `${programName} ${command}${command.startsWith('-') ? '' : service + trust}`;
}
