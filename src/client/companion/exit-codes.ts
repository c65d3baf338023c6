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

const byCode = new Map<string, number>([
	...['usage', 'ca_unreadable'].map((code) => [code, exitCodes.usage] as const),
	...['not_signed_in', 'signed_out', 'session_expired', 'access_revoked', 'refused_again'].map(
		(code) => [code, exitCodes.signedOut] as const
	),
	['access_denied', exitCodes.denied],
	...['silence', 'holding', 'blacklisted', 'exchange_unknown', 'renewal_later', 'browser_timeout'].map(
		(code) => [code, exitCodes.unanswered] as const
	),
	...['unreachable', 'untrusted', 'no_tls'].map((code) => [code, exitCodes.unanswered] as const),
	['rate_limit_exceeded', exitCodes.limited],
	['stopped', exitCodes.interrupted]
]);

/**
 * The exit code for a problem.
 * @param code of the problem
 */
export function exitCodeOf(code: string): number {
	return byCode.get(code) ?? exitCodes.failed;
}
