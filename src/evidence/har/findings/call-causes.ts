import { errorOf } from '../describe-exchange.ts';
import type { ForeignFinding } from '../har-reading.ts';
import { sentToken } from '../link-exchanges.ts';
import { beginOf, expiryOf, findingOf, timeText, type ForeignRun } from './foreign-run.ts';
import { rateLimitIn } from './rate-limits.ts';

/** Calls that were rejected, by their token or their number. */
export function callCauses(run: ForeignRun): ForeignFinding[] {
	return run.of('resource', 'userinfo').flatMap((call): ForeignFinding[] => {
		const status = call.entry.response?.status ?? 0;
		const limit = rateLimitIn(call.entry);
		if (status === 429 || (status === 403 && limit?.remaining === 0))
			return [
				findingOf('failed', [call], {
					id: 'cause.rate_limit',
					title: 'The rate limit is reached',
					severity: 2,
					basis: 'response',
					text: `${call.host} rejected the call${limit?.resetAt === undefined ? '' : ` until ${timeText(limit.resetAt)}`}.`,
					cause: 'The client sends more calls than the provider allows, or does not wait after a 429.',
					fix: 'Wait as long as Retry-After or the reset says, and cache what you read.',
					sections: ['RFC 6585 §4']
				})
			];
		// The rule about renewal reports expired tokens.
		if (status !== 401 && status !== 403) return [];
		const expiry = expiryOf(call, run);
		if (expiry !== undefined && beginOf(call) > expiry) return [];
		const error = errorOf(call.entry);
		const audience = call.tokens.find(({ label }) => label === sentToken(call.entry)?.label)?.claims.aud;
		const isScope = error?.code === 'insufficient_scope' || status === 403;
		const isMissing = status === 401 && sentToken(call.entry) === undefined;
		return [
			findingOf('failed', [call], {
				id: isScope ? 'cause.missing_scope' : isMissing ? 'cause.no_token' : 'cause.token_rejected',
				title: isScope
					? 'A permission is missing'
					: isMissing
						? 'The call has no token'
						: 'The resource rejects the token',
				severity: 2,
				basis: 'response',
				text: `${call.host} responded with ${error === undefined ? `status ${status}` : error.code}${audience === undefined ? '.' : `. The token is for ${audience.join(', ')}.`}`,
				cause: isScope
					? 'The user allowed less than the call needs, or the account may not do this.'
					: isMissing
						? 'The file has no token of this call. Some browsers leave it out.'
						: 'The token was revoked, is of another environment, or has another audience than this resource.',
				fix: isScope
					? 'Request the scope that the response names, and sign in again.'
					: 'Renew the token once. If it fails again, request a token for this resource.',
				sections: ['RFC 6750 §3.1']
			})
		];
	});
}
