import { describeError } from '../error-messages.ts';
import { sanitizeLine, type ClientError } from '../oauth/client-error.ts';
import { serviceUrls } from '../service-urls.ts';
import type { FormatCommand } from './format-command.ts';

/** An error as the command line reports it. Everything but the exit code is in the JSON. */
export type CliError = {
	readonly code: string;
	readonly title: string;
	readonly reason: string;
	readonly next_step: string;
	/** Section of the specification. */
	readonly section?: string;
	/** What the service said. */
	readonly description?: string;
	/** HTTP status. */
	readonly status?: number;
	/** When a retry makes sense, in seconds since 1970 by the service's clock. */
	readonly retry_at?: number;
	readonly exitCode: number;
};

/** The exit codes, their meaning, and the errors that end with them. All other errors end with 1. */
const exitCodes: readonly (readonly [exitCode: number, meaning: string, errors?: string])[] = [
	[0, 'success'],
	[1, 'the service rejected the request, or another error'],
	[2, 'invalid command', 'invalid_command plain_http ca_unreadable'],
	[
		3,
		'not signed in, or access has ended',
		'not_signed_in signed_out session_expired access_revoked rejected_after_refresh'
	],
	[4, 'the user denied access', 'access_denied'],
	[
		5,
		'no response from the browser or the service',
		'no_response exchange_unknown refresh_failed browser_timeout blacklisted unreachable untrusted no_tls'
	],
	[6, 'rate limit reached', 'rate_limit_exceeded'],
	[130, 'interrupted (Ctrl-C)', 'aborted']
];

/** The table in `--help`. */
export const exitCodesHelp = `Exit codes:\n${exitCodes.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}`;

type Message = readonly [title: string, reason: string, nextStep: string];

/**
 * Describes an error: what happened, why, and what to type next.
 * @param baseUrl of the service
 */
export function toCliError(error: ClientError, baseUrl: string, formatCommand: FormatCommand): CliError {
	const code = connectionErrorCode(error) ?? error.code;
	const messages = ownMessages(error, baseUrl, formatCommand);
	const own = Object.hasOwn(messages, code) ? messages[code] : undefined;
	const shared = describeError(error);
	const message = own ?? [shared.title, shared.reason, nextStep(error, baseUrl, formatCommand)];
	return {
		...{ code, title: message[0], reason: message[1], next_step: message[2], exitCode: exitCodeOf(code) },
		...(own === undefined ? { section: shared.section } : {}),
		...(own === undefined && error.message !== '' ? { description: sanitizeLine(error.message) } : {}),
		...(error.status === undefined ? {} : { status: error.status }),
		...(error.retryAt === undefined ? {} : { retry_at: Math.ceil(error.retryAt / 1000) })
	};
}

function exitCodeOf(error: string): number {
	return exitCodes.find(([, , errors = '']) => errors.split(' ').includes(error))?.[0] ?? 1;
}

/** Tells why the connection failed, if it did. */
function connectionErrorCode({ code, cause }: ClientError): string | undefined {
	if (!['no_response', 'exchange_unknown', 'refresh_failed'].includes(code)) return undefined;
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

/** Errors that only the command line has, or whose next step differs. */
function ownMessages(
	error: ClientError,
	baseUrl: string,
	formatCommand: FormatCommand
): Readonly<Record<string, Message>> {
	const { message } = error;
	const { origin } = new URL(baseUrl);
	const urls = serviceUrls(baseUrl);
	const signIn = `Sign in: ${formatCommand('login')}`;
	return {
		invalid_command: ['Invalid command', message, `See ${formatCommand('--help')}`],
		not_signed_in: ['Not signed in', `No tokens for ${baseUrl} are stored on this computer.`, signIn],
		browser_timeout: [
			'No response from the browser',
			'The sign-in did not finish in time. Nothing was exchanged or stored.',
			`Try again with more time: ${formatCommand('login --timeout 900')}`
		],
		aborted: ['Stopped', 'You interrupted the command.', 'Run it again.'],
		unreachable: [
			`Can’t connect to ${origin}`,
			'The connection failed.',
			'Start Tollgate with npm start or npx tollgate, or use another service with --base-url URL.'
		],
		untrusted: [
			`The certificate of ${origin} is not trusted`,
			'No known CA signed it, so nothing was sent.',
			'If this is your service, add its CA certificate with --ca FILE. Tollgate stores it as tls/ca.pem in its data folder.'
		],
		no_tls: [
			`${origin} does not use TLS`,
			'The server at this address is not a Tollgate service.',
			'Check --base-url.'
		],
		plain_http: [
			`http://${message} is not encrypted`,
			'Tokens are only sent over HTTPS (section 4). Nothing was sent.',
			`Use HTTPS: --base-url https://${message.replace(/^([^/]+):\d+(?=\/|$)/, '$1')}`
		],
		ca_unreadable: [
			'Can’t read the CA certificate',
			`${message} is missing or contains no certificate.`,
			'Use a PEM file.'
		],
		credentials_unreadable: [
			'Can’t read the stored tokens',
			`${message} is damaged, or you have no permission to read it.`,
			`Delete the file and sign in again. To revoke the earlier access, open ${urls.account}`
		],
		credentials_unwritable: [
			'Can’t store the tokens',
			`Writing to ${message} failed: ${systemErrorCode(error.cause) ?? 'unknown error'}.`,
			`Free the path or set XDG_CONFIG_HOME to another folder. Then sign in: ${formatCommand('login')}`
		],
		not_found: [
			'Character not found',
			'Names must match exactly.',
			`Quote names that contain special characters: ${formatCommand('show "Half/Life"')}`
		],
		blacklisted: [
			'This address is blacklisted',
			`The service only responds to /ratelimiting. It says: ${message}`,
			`File a support ticket: ${urls.support}`
		],
		client_error: ['Unexpected error', message, 'Report it with the command that you ran.']
	};
}

/** What a page would offer as a button, as something to type. */
function nextStep(error: ClientError, baseUrl: string, formatCommand: FormatCommand): string {
	const { code, retryAt } = error;
	const { action, nextStep: fallback } = describeError(error);
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
