/** The exit codes of the program. */
export const exitCodes = {
	ok: 0,
	failed: 1,
	usage: 2,
	signedOut: 3,
	denied: 4,
	noResponse: 5,
	rateLimited: 6,
	interrupted: 130
} as const;

/** The table in `--help`. */
export const exitCodesHelp = `Exit codes:
  0    success
  1    the service rejected the request, or another error
  2    invalid command
  3    not signed in, or access has ended
  4    the user denied access
  5    no response from the browser or the service
  6    rate limit reached
  130  interrupted (Ctrl-C)`;

/** Other errors exit with `failed`. */
const errorsByExitCode: readonly (readonly [exitCode: number, errors: readonly string[]])[] = [
	[exitCodes.usage, ['invalid_command', 'plain_http', 'ca_unreadable']],
	[exitCodes.signedOut, ['not_signed_in', 'signed_out', 'session_expired', 'access_revoked', 'rejected_after_refresh']],
	[exitCodes.denied, ['access_denied']],
	[exitCodes.noResponse, ['no_response', 'exchange_unknown', 'refresh_failed', 'browser_timeout', 'blacklisted']],
	[exitCodes.noResponse, ['unreachable', 'untrusted', 'no_tls']],
	[exitCodes.rateLimited, ['rate_limit_exceeded']],
	[exitCodes.interrupted, ['aborted']]
];

/**
 * Returns the exit code for an error.
 * @param code of the error
 */
export function exitCodeOf(code: string): number {
	return errorsByExitCode.find(([, errors]) => errors.includes(code))?.[0] ?? exitCodes.failed;
}
