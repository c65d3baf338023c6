import { redactHeaders, redactText, redactPairs, redactTarget } from '#wire/redact.ts';
import type { Exchange } from '../http.ts';
import type { OAuthEvent, TokenSummary } from '../oauth/events.ts';
import type { RateLimitEvent } from '../rate-limit/rate-limit-event.ts';
import type { HttpMessage } from '../storage/tab-schema.ts';
import type { NewEvent } from './event-log.ts';

/** The log entry for an event of the client core; undefined: none. */
export function logCoreEvent(event: OAuthEvent | RateLimitEvent): NewEvent | undefined {
	switch (event.type) {
		case 'authorization_started':
			return {
				kind: 'stored',
				message: 'Saved state and issuer',
				fields: [
					['issuer', event.issuer],
					['scope', event.scope.join(' ')]
				],
				section: '2.1'
			};
		case 'state_verified':
			return { kind: 'verified', message: 'state matches this tab (single use)', section: '2.2' };
		case 'manual_code_received':
			return {
				kind: 'info',
				message: 'Pasted codes carry no state. PKCE binds this code to this sign-in',
				section: '2.2'
			};
		case 'code_exchange_started':
			return { kind: 'info', message: 'Exchanging the code', fields: [['issuer', event.issuer]], section: '2.3' };
		case 'callback_rejected': {
			const { code, message } = event.error;
			const reason = message === '' ? code : `${code}: ${message}`;
			return { kind: 'rejected', message: 'Sign-in failed', fields: [['reason', reason]], section: '2.2' };
		}
		case 'xml_converted':
			return {
				kind: 'verified',
				message: 'Converted the XML to JSON, because oauth4webapi parses JSON only',
				fields: [['root element', 'OAuth']],
				section: '2.4'
			};
		case 'tokens_saved':
			return {
				kind: 'stored',
				message: 'Saved the tokens in this browser',
				fields: tokenFields(event),
				section: '2.4'
			};
		case 'tokens_refreshed':
			return {
				kind: 'stored',
				message: 'Saved new access token. The refresh token is unchanged',
				fields: tokenFields(event),
				section: '2.4'
			};
		case 'refresh_started':
			return { kind: 'info', message: 'Refreshing the access token', section: '3.1' };
		case 'refresh_skipped':
			return { kind: 'info', message: 'Another tab has already refreshed the access token' };
		case 'token_set_ended':
			return { kind: 'info', message: 'Session ended', fields: [['reason', event.reason]] };
		case 'revocation_skipped':
			return { kind: 'info', message: 'Nothing to revoke: the service revokes by refresh token only', section: '4' };
		case 'tokens_deleted':
			return { kind: 'stored', message: 'Deleted tokens in all tabs' };
		case 'request_throttled':
			return {
				kind: 'delayed',
				message: 'Request throttled: rate limit running low',
				fields: [['delay', `${String(event.delay)} ms`]],
				section: '8.9'
			};
		case 'rate_limit_exceeded':
			return {
				kind: 'verified',
				message: 'This 400 is the rate limit, not a bad request: waiting for the reset',
				fields: [['retry at', new Date(event.retryAt).toUTCString()]],
				section: '3.3'
			};
		case 'rate_limit_updated':
			return undefined; // The gauges show it.
	}
}

/** The log entry for a request, its response, or its failure. */
export function logExchange({ result, ...request }: Exchange): NewEvent {
	const { id, method, url, requestHeaders, requestBody, duration } = request;
	const path = new URL(url).pathname;
	if (result === undefined) {
		const headers = headerPairs(requestHeaders);
		const http = { exchange: id, line: `${method} ${redactTarget(url)}`, headers, body: redactPairs(requestBody) };
		return { kind: 'sent', message: `${method} ${path}`, http };
	}
	if (result.kind !== 'response') {
		const isAborted = result.kind === 'aborted';
		return {
			kind: isAborted ? 'info' : 'failed',
			message: `${isAborted ? 'Canceled the request to' : 'No response from'} ${path}`,
			fields: [
				['after', `${String(duration)} ms`],
				['error', result.message]
			],
			section: '7'
		};
	}
	const requestId = result.headers.get('x-request-id');
	const http: HttpMessage = {
		exchange: id,
		line: String(result.status),
		headers: headerPairs(result.headers).filter(([name]) => loggedHeaders.test(name)),
		body: redactText(result.text).slice(0, maxLoggedBody),
		duration,
		...(requestId === null ? {} : { requestId })
	};
	return { kind: 'received', message: `${String(result.status)} from ${path}`, http };
}

const loggedHeaders = /^(?:content-type|date|cache-control|www-authenticate|allow|vary|x-request-id|x-ratelimit-.*)$/;
const maxLoggedBody = 16_384;

function tokenFields({ scope, lifetime, hasRefreshToken }: TokenSummary): NonNullable<NewEvent['fields']> {
	return [
		['expires_in', lifetime === null ? 'unknown' : `${String(lifetime / 1000)} s`],
		['refresh_token', hasRefreshToken ? 'yes' : 'none'],
		['scope', scope.join(' ')]
	];
}

function headerPairs(headers: Headers): HttpMessage['headers'] {
	return [...headers].map(([name, value]) => [name, redactHeaders([name, value])[1] ?? ''] as const);
}
