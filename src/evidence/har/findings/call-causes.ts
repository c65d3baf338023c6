import { errorOf, quotedError, type ExchangeError } from '../describe-exchange.ts';
import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { sentToken } from '../link-exchanges.ts';
import { documentedCause } from '../providers/provider-errors.ts';
import {
	beginOf,
	expiryOf,
	findingOf,
	isOk,
	received,
	requestHeaderOf,
	responseHeaderOf,
	sent,
	timeText,
	type ForeignRun
} from './foreign-run.ts';
import { rateLimitIn } from './rate-limits.ts';

const response = { basis: 'response' } as const;
/** Roles of requests that a page sends by script, and whose responses it must be able to read. */
const readByPages = /^(?:token|userinfo|resource|keys|metadata|revocation|introspection|par|device)$/;

const isPreflight = ({ entry }: ForeignExchange): boolean => entry.request.method === 'OPTIONS';

/** A response that a page of another origin could not read: by its missing header, or by no response at all. */
export function corsCause(one: ForeignExchange, { recorder }: ForeignRun): ForeignFinding | undefined {
	if (!readByPages.test(one.role) || one.from !== 'browser') return undefined;
	const { response: received } = one.entry;
	if (isPreflight(one)) {
		const text = `The browser asked ${one.host} whether the page may send the call (OPTIONS), and got status ${received?.status ?? 0}. It did not send it.`;
		return findingOf('failed', 'cause.cors', [one], text);
	}
	if (received === null)
		return one.role === 'token' || one.role === 'userinfo'
			? findingOf('failed', 'cause.cors', [one], `The browser got no response from ${one.host}.`)
			: undefined;
	// Chrome records no status of a response that it blocks.
	if (recorder === 'Chrome') return undefined;
	const origin = requestHeaderOf(one, 'origin') ?? '';
	const mode = requestHeaderOf(one, 'sec-fetch-mode') ?? 'cors';
	if (!/^https?:/.test(origin) || origin === one.origin || mode !== 'cors' || received.headers.length === 0)
		return undefined;
	const allowed = responseHeaderOf(one, 'access-control-allow-origin');
	if (allowed === '*' || allowed === origin) return undefined;
	const what = allowed === undefined ? 'no Access-Control-Allow-Origin' : `Access-Control-Allow-Origin: ${allowed}`;
	const text = `The page is at ${origin}, and the response of ${one.host} has ${what}. The page cannot read it.`;
	return findingOf('failed', 'cause.cors', [one], text);
}

/** Some providers respond with 403, or with 200, and say it in words. */
const limitWords =
	/\brate[ _-]?limit|(?:rate|quota|daily|request)[ _]?limit[ _]?exceeded|quota ?exceeded|too many requests|throttl/i;

/** A response that asks for fewer requests, whatever it was sent to. */
export function limitCause(one: ForeignExchange): ForeignFinding | undefined {
	const status = one.entry.response?.status ?? 0;
	const limit = rateLimitIn(one.entry);
	const error = errorOf(one.entry);
	const names = [`status/${status}`, ...(error?.names ?? [])];
	const isLimit =
		status === 429 ||
		(status === 403 && limit?.remaining === 0) ||
		(error !== undefined && limitWords.test([...error.names, error.text].join(' '))) ||
		documentedCause(names) === 'cause.rate_limit';
	if (!isLimit) return undefined;
	const until = limit?.resetAt === undefined ? '' : ` until ${timeText(limit.resetAt)}`;
	const said = error === undefined ? '' : ` Its words: ${quotedError(error)}`;
	const text = `${one.host} rejected the request with status ${status}${until}.${said}`;
	return findingOf('failed', 'cause.rate_limit', [one], text, response);
}

/** Tokens that cannot be renewed: the provider issued no refresh token with them. */
export function renewalCauses(run: ForeignRun): ForeignFinding[] {
	const exchanges = run.of('token').filter((one) => isOk(one) && sent(one, 'code') !== undefined);
	const issued = exchanges.filter(
		(one) => received(one, 'access_token') !== undefined && received(one, 'refresh_token') === undefined
	);
	const late = [
		...run.of('resource', 'userinfo'),
		...run.of('authorization').filter((one) => sent(one, 'prompt') === 'none')
	];
	return issued.flatMap((token): ForeignFinding[] => {
		const after = late.find((one) => {
			const expiry = expiryOf(one, run);
			const isSilent = one.role === 'authorization' && errorOf(one.entry) !== undefined;
			return (
				one.entry.seq > token.entry.seq && (isSilent || (expiry !== undefined && beginOf(one) > expiry && !isOk(one)))
			);
		});
		if (after === undefined) return [];
		const start = run.flows.find(({ id }) => id === token.entry.flow)?.authorization;
		const isOffline = start !== undefined && sent(start, 'access_type') === 'offline';
		const scopes = (start && sent(start, 'scope'))?.split(' ') ?? [];
		const asks = isOffline || scopes.includes('offline_access');
		const what =
			start === undefined || asks
				? ''
				: ' The authorization request has neither access_type=offline nor the scope offline_access.';
		const text = `The token response has no refresh_token, and the token is needed after it has expired.${what}`;
		const fix =
			'Google issues a refresh token only when the user allows the access: send prompt=consent once. Elsewhere, allow the grant refresh_token in the registration.';
		return [findingOf('failed', 'cause.no_refresh_token', [start, token, after], text, asks ? { fix } : {})];
	});
}

const tokenWords =
	/\b(?:invalid|expired|revoked) (?:access |oauth )?token\b|\btoken\b.{0,40}\b(?:invalid|expired|revoked)\b/i;
const permissionWords = /(?:\b|_)scopes?\b|permission|privilege|not accessible by|insufficient|required roles?/;

/** Whether a call lacks a permission, in the words of the response. Providers send this with 400, 401 or 403. */
function isPermission(error: ExchangeError | undefined, status: number): boolean {
	const { names = [], text = '' } = error ?? {};
	if (names.some((name) => /insufficient_?(?:scope|permission)|missing_?scope/i.test(name))) return true;
	// A name such as PERMISSION_DENIED is that of the status. The words say more.
	const words = (status === 403 && text !== '' ? text : [...names, text].join(' ')).toLowerCase();
	if (status === 400 && !words.includes('token')) return false;
	return permissionWords.test(words);
}

/** Calls that were rejected, by their token or their number. */
export function callCauses(run: ForeignRun): ForeignFinding[] {
	const calls = run.of('resource', 'userinfo').filter((one) => !isPreflight(one));
	return calls.flatMap((call): ForeignFinding[] => {
		const status = call.entry.response?.status ?? 0;
		const limit = limitCause(call);
		if (limit !== undefined) return [limit];
		if (status >= 500) return [];
		const error = errorOf(call.entry);
		const documented = documentedCause(error?.names ?? [], true);
		const isScope = isPermission(error, status) || documented === 'cause.missing_scope';
		if (status !== 401 && status !== 403 && !isScope && documented === undefined) return [];
		// The rule about renewal reports expired tokens.
		const expiry = expiryOf(call, run);
		if (expiry !== undefined && beginOf(call) > expiry) return [];
		const token = sentToken(call.entry);
		const audience = call.tokens.find(({ label }) => label === token?.label)?.claims.aud;
		const ofToken = token === undefined ? 'no_token' : 'token_rejected';
		const isOfToken = status !== 403 || documented !== undefined || tokenWords.test(error?.text ?? '');
		const id = isScope ? 'missing_scope' : isOfToken ? ofToken : 'call_forbidden';
		const aud = audience === undefined ? '' : ` The token is for ${audience.join(', ')}.`;
		const quote = error === undefined ? `status ${status}` : quotedError(error);
		const text = `${call.host} responded with ${quote}${/[.!?]$/.test(quote) ? '' : '.'}${aud}`;
		return [findingOf('failed', `cause.${id}`, [call], text, response)];
	});
}
