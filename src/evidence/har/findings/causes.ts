import { errorOf } from '../describe-exchange.ts';
import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { sentToken } from '../link-exchanges.ts';
import { callbackCauses } from './callback-causes.ts';
import {
	beginOf,
	expiryOf,
	findingOf,
	isOk,
	received,
	sent,
	sentValue,
	timeText,
	type ForeignFlow,
	type ForeignRun
} from './foreign-run.ts';
import { rateLimitIn } from './rate-limits.ts';

const response = { basis: 'response' } as const;

/** What an error code of a provider means to the developer of a client: the first that fits counts. Undefined: it is part of a sign-in that works. */
const errorCauses: readonly (readonly [codes: RegExp, id: string | undefined])[] = [
	[/redirect_uri/, 'cause.redirect_uri'],
	[/^(?:invalid_client|incorrect_client_credentials|bad_client_secret|app_not_found)/, 'cause.client'],
	[
		/^(?:invalid_grant|bad_verification_code|invalid_code|code_already_used|(?:bad|invalid)_refresh_token)/,
		'cause.grant'
	],
	[/scope/, 'cause.scope'],
	[/^(?:access_denied|user_denied|user_cancell?ed)/, 'cause.denied'],
	[/^(?:consent_required|interaction_required)/, 'cause.consent'],
	[/^(?:login_required|session_expired|cookie_missing)/, 'cause.session'],
	[/^pkce_required/, 'cause.pkce_required'],
	[/^(?:unauthorized_client|unsupported_)/, 'cause.grant_type'],
	[/^(?:use_dpop_nonce|authorization_pending|slow_down)/, undefined],
	[/^(?:temporarily_unavailable|server_error)/, 'cause.provider_failed'],
	[/^invalid_request/, 'cause.request']
];

/** Why a token request failed, where the file shows more than the error. Undefined: the error is all that is known. */
function tokenCause(token: ForeignExchange, flow: ForeignFlow): ForeignFinding | undefined {
	const { authorization, callbacks, tokens } = flow;
	const error = errorOf(token.entry);
	const detail = error?.text === undefined || error.text === '' ? '' : ` The provider says: ${error.text}`;
	const code = sentValue(token, 'code');
	if (code === undefined) return undefined;
	const isSameCode = (one: ForeignExchange) => one !== token && sentValue(one, 'code')?.label === code.label;
	const before = tokens.find((one) => isSameCode(one) && one.entry.seq < token.entry.seq);
	if (before !== undefined) {
		const text = `The same code was sent at ${timeText(beginOf(before))} and at ${timeText(beginOf(token))}.${detail}`;
		return findingOf('failed', 'cause.code_used', [before, token], text);
	}
	const [first, second] = [authorization && sent(authorization, 'redirect_uri'), sent(token, 'redirect_uri')];
	if (first !== undefined && first !== second) {
		const text = `The authorization request has ${first}, and the token request ${second ?? 'none'}.${detail}`;
		return findingOf('failed', 'cause.redirect_uri_token', [authorization, token], text);
	}
	const challenge = authorization && sent(authorization, 'code_challenge');
	const verifier = sentValue(token, 'code_verifier');
	if (challenge !== undefined && verifier?.id !== challenge) {
		const what = verifier === undefined ? 'no code_verifier' : 'another code_verifier than the code_challenge needs';
		const lost = 'The verifier was lost between the authorization request and the callback.';
		const more = verifier === undefined ? { cause: lost } : {};
		return findingOf('failed', 'cause.pkce', [authorization, token], `The token request has ${what}.${detail}`, more);
	}
	const [callback] = callbacks;
	const age = callback === undefined ? 0 : (beginOf(token) - beginOf(callback)) / 1000;
	if (age <= 30) return undefined;
	const text = `The token request came ${Math.round(age)} s after the code.${detail}`;
	return findingOf('failed', 'cause.code_expired', [callback, token], text);
}

/** Why the provider rejected a request: what the exchanges show, or what its error means. */
function rejections(run: ForeignRun): ForeignFinding[] {
	return run.all.flatMap((one) => {
		const error = errorOf(one.entry);
		const isCall = one.role === 'resource' || one.role === 'userinfo';
		if (isCall || one.role === 'application' || (error === undefined && isOk(one))) return [];
		// A callback repeats the error of the redirect before it. Why it fails itself is found by its sign-in.
		const isRepeated = run.all.some(
			(other) =>
				other.role !== 'callback' && other.entry.flow === one.entry.flow && received(other, 'error') === error?.code
		);
		if (one.role === 'callback' && (isRepeated || sent(one, 'error') === undefined)) return [];
		const flow = run.flows.find(({ id }) => id === one.entry.flow);
		const isGrantError = one.role === 'token' && !/client|scope|slow_down|pending/.test(error?.code ?? '');
		const known = isGrantError && flow !== undefined ? tokenCause(one, flow) : undefined;
		if (known !== undefined) return [known];
		const found = error && errorCauses.find(([codes]) => codes.test(error.code));
		if (error === undefined || found === undefined) return otherRejection(one);
		const text = `The provider responded with ${error.code}${error.text === '' ? '.' : `: ${error.text}`}`;
		return found[1] === undefined ? [] : [findingOf('failed', found[1], [one], text, response)];
	});
}

function otherRejection(one: ForeignExchange): ForeignFinding[] {
	const { response: received } = one.entry;
	const error = errorOf(one.entry);
	if (received === null && (one.role === 'token' || one.role === 'userinfo') && one.from === 'browser')
		return [findingOf('failed', 'cause.cors', [one], `The browser got no response from ${one.host}.`)];
	if (received === null || (received.status < 500 && error === undefined && one.role === 'sign_in')) return [];
	const said = error === undefined ? `status ${received.status}` : error.code;
	const text = `${one.host} responded with ${said}${error === undefined || error.text === '' ? '.' : `: ${error.text}`}`;
	const isServer = received.status >= 500;
	return [findingOf('failed', isServer ? 'cause.provider_failed' : 'cause.rejected', [one], text, response)];
}

/** Calls that were rejected, by their token or their number. */
function callCauses(run: ForeignRun): ForeignFinding[] {
	return run.of('resource', 'userinfo').flatMap((call): ForeignFinding[] => {
		const status = call.entry.response?.status ?? 0;
		const limit = rateLimitIn(call.entry);
		if (status === 429 || (status === 403 && limit?.remaining === 0)) {
			const until = limit?.resetAt === undefined ? '' : ` until ${timeText(limit.resetAt)}`;
			return [findingOf('failed', 'cause.rate_limit', [call], `${call.host} rejected the call${until}.`, response)];
		}
		// The rule about renewal reports expired tokens.
		if (status !== 401 && status !== 403) return [];
		const expiry = expiryOf(call, run);
		if (expiry !== undefined && beginOf(call) > expiry) return [];
		const error = errorOf(call.entry);
		const token = sentToken(call.entry);
		const audience = call.tokens.find(({ label }) => label === token?.label)?.claims.aud;
		const isScope = error?.code === 'insufficient_scope' || status === 403;
		const id = isScope ? 'missing_scope' : token === undefined ? 'no_token' : 'token_rejected';
		const aud = audience === undefined ? '.' : `. The token is for ${audience.join(', ')}.`;
		const text = `${call.host} responded with ${error === undefined ? `status ${status}` : error.code}${aud}`;
		return [findingOf('failed', `cause.${id}`, [call], text, response)];
	});
}

/** Each cause once, with all exchanges that show it. */
export function causeFindings(run: ForeignRun): ForeignFinding[] {
	const known = [...rejections(run), ...callCauses(run)];
	// A callback that fails because of its token request has no other cause.
	const ofCallbacks = callbackCauses(run).filter(({ id }) => known.length === 0 || id !== 'cause.callback_rejected');
	const all = [...known, ...ofCallbacks];
	const first = all.filter((one, at) => all.findIndex(({ id }) => id === one.id) === at);
	return first.map((one) => ({
		...one,
		exchanges: [...new Set(all.filter(({ id }) => id === one.id).flatMap(({ exchanges }) => exchanges))].slice(0, 10)
	}));
}
