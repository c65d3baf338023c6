import { describeError } from '../errors.ts';
import { sanitizeLine, type ClientError } from '../oauth/client-error.ts';
import { serviceUrls } from '../service-urls.ts';
import { cliErrors, exitCodes, type CliErrorText } from './cli-errors.ts';
import type { FormatCommand } from './format-command.ts';

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
