/** What the program ends with, by what `--help` says of it. */
export const exitCodes = {
	ok: 0,
	failed: 1,
	usage: 2,
	signedOut: 3,
	denied: 4,
	unanswered: 5,
	limited: 6,
	interrupted: 130
} as const;

/** The table that `--help` shows. */
export const exitCodesHelp = `EXIT CODES

  0    done
  1    the service refused, or something broke
  2    the command line makes no sense
  3    nobody is signed in, or the access is over: sign in
  4    the person did not agree
  5    no answer: from the browser, the network, or the service
  6    the budget of this hour is used up
  130  Ctrl-C`;

const endings: readonly (readonly [exitCode: number, problems: readonly string[]])[] = [
	[exitCodes.usage, ['usage', 'plain_http', 'ca_unreadable']],
	[exitCodes.signedOut, ['not_signed_in', 'signed_out', 'session_expired', 'access_revoked', 'refused_again']],
	[exitCodes.denied, ['access_denied']],
	[exitCodes.unanswered, ['silence', 'holding', 'blacklisted', 'exchange_unknown', 'renewal_later', 'browser_timeout']],
	[exitCodes.unanswered, ['unreachable', 'untrusted', 'no_tls']],
	[exitCodes.limited, ['rate_limit_exceeded']],
	[exitCodes.interrupted, ['stopped']]
];

/**
 * The exit code for a problem.
 * @param code of the problem
 */
export function exitCodeOf(code: string): number {
	return endings.find(([, problems]) => problems.includes(code))?.[0] ?? exitCodes.failed;
}
