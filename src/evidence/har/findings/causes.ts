import { errorOf, quotedError, type ExchangeError } from '../describe-exchange.ts';
import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { isLiteralNothing } from '../redact-values.ts';
import { callbackCauses } from './callback-causes.ts';
import { callCauses, corsCause, limitCause, renewalCauses } from './call-causes.ts';
import { recorderClock } from './clocks.ts';
import { explainError } from './explain-error.ts';
import {
	beginOf,
	findingOf,
	hasResponded,
	isLoopback,
	isOk,
	locationOf,
	received,
	responseHeaderOf,
	sent,
	sentValue,
	timeText,
	type ForeignFlow,
	type ForeignRun
} from './foreign-run.ts';

/** Causes that the exchanges of a sign-in show better than the words of the provider. */
const shownByExchanges = new Set(['cause.grant', 'cause.pkce', 'cause.redirect_uri_token', 'cause.rejected']);

/** Whether a page posts the authorization response to the application. */
const isPostedPage = ({ entry }: ForeignExchange) => entry.response?.body.startsWith('[page] form ') === true;

/** Who responded, and with what. The words are those of the response. */
function saidText(one: ForeignExchange, error: ExchangeError): string {
	const who = one.to === 'authorization' ? 'The provider' : one.host;
	const quote =
		error.names.length === 0 ? `status ${one.entry.response?.status ?? 0}: ${error.text}` : quotedError(error);
	return `${who} responded with ${quote}${/[.!?…]$/.test(quote) ? '' : '.'}`;
}

/** Why a request with a code failed, where the file shows more than the error. Undefined: the error is all that is known. */
function tokenCause(token: ForeignExchange, flow: ForeignFlow): ForeignFinding | undefined {
	const { authorization, callbacks, tokens, relays } = flow;
	const error = errorOf(token.entry);
	const detail = error === undefined ? '' : ` ${saidText(token, error)}`;
	const code = sentValue(token, 'code');
	if (code === undefined) return undefined;
	const isSameCode = (one: ForeignExchange) => one !== token && sentValue(one, 'code')?.label === code.label;
	const before = [...tokens, ...relays].find((one) => isSameCode(one) && one.entry.seq < token.entry.seq);
	if (before !== undefined) {
		const text = `The same code was sent to ${token.host} at ${timeText(beginOf(before))} and at ${timeText(beginOf(token))}.${detail}`;
		return findingOf('failed', 'cause.code_used', [before, token], text);
	}
	if (token.role !== 'token') return undefined;
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

/** A value that is the word of a programming language for nothing. */
function literalCause(one: ForeignExchange): ForeignFinding | undefined {
	const name = ['refresh_token', 'code', 'code_verifier', 'client_secret', 'client_id', 'redirect_uri', 'state'].find(
		(parameter) => isLiteralNothing(sent(one, parameter) ?? '')
	);
	if (name === undefined || (isOk(one) && errorOf(one.entry) === undefined)) return undefined;
	return findingOf('failed', 'cause.literal_value', [one], `${name} is the word ${sent(one, name) ?? ''}.`);
}

/** The redirect URI begins with http, and the application is at https: a proxy in front of it ends TLS. */
function schemeCause(one: ForeignExchange, { of }: ForeignRun): ForeignFinding | undefined {
	const wanted = sent(one, 'redirect_uri') ?? '';
	const [, host = ''] = /^http:\/\/([^/?#]+)/.exec(wanted) ?? [];
	const own = of('application', 'callback').find((other) => other.host === host && other.origin.startsWith('https:'));
	if (host === '' || isLoopback(host) || own === undefined) return undefined;
	const text = `The application is at ${own.origin}, and its redirect URI is ${wanted}.`;
	return findingOf('failed', 'cause.redirect_scheme', [own, one], text);
}

/** A token endpoint that redirects, or responds with a page. The client gets no token. */
function noTokenCause(one: ForeignExchange, status: number): ForeignFinding | undefined {
	const isPage =
		/html/.test(responseHeaderOf(one, 'content-type') ?? '') && received(one, 'access_token') === undefined;
	if (one.role !== 'token' || (status >= 300 ? status >= 400 : !isPage)) return undefined;
	const to = locationOf(one);
	const text = `${one.host} responded with ${to === undefined ? 'a page' : `status ${status} and leads to ${to}`}, not with a token.`;
	return findingOf('failed', 'cause.wrong_address', [one], text, { basis: 'response' });
}

/** Why a request was rejected: what the exchanges show, what the provider documents, or what its words mean. */
function rejectionOf(one: ForeignExchange, run: ForeignRun): ForeignFinding | undefined {
	const flow = run.flows.find(({ id }) => id === one.entry.flow);
	// A page of a sign-in that went on is no end of it: a wrong password, or an expired page.
	const isPage = /^(?:authorization|sign_in)$/.test(one.role) && locationOf(one) === undefined && !isPostedPage(one);
	if (isPage && flow !== undefined && (hasResponded(flow) || flow.tokens.some(isOk))) return undefined;
	const literal = literalCause(one);
	if (literal !== undefined) return literal;
	const error = errorOf(one.entry);
	const status = one.entry.response?.status ?? 0;
	const limit = limitCause(one);
	if (limit !== undefined) return limit;
	const noToken = error === undefined ? noTokenCause(one, status) : undefined;
	if (noToken !== undefined) return noToken;
	if (error === undefined) return isOk(one) ? undefined : withoutError(one, flow);
	const isToken = one.role === 'token' || one.role === 'application';
	const cause = explainError(error, isToken ? 'token' : 'authorization', status);
	if (cause === 'works') return undefined;
	const shown =
		isToken && flow !== undefined && shownByExchanges.has(cause ?? 'cause.rejected') && tokenCause(one, flow);
	if (shown) return shown;
	const scheme = cause === 'cause.redirect_uri' ? schemeCause(one, run) : undefined;
	if (scheme !== undefined) return { ...scheme, text: `${scheme.text} ${saidText(one, error)}` };
	// A page has more words than those that are read.
	if (cause === undefined || (isPage && cause === 'cause.request' && error.text === ''))
		return withoutError(one, flow, error);
	return findingOf('failed', cause, [one], saidText(one, error), { basis: 'response' });
}

/** A response that says nothing known. */
function withoutError(
	one: ForeignExchange,
	flow: ForeignFlow | undefined,
	error?: ExchangeError
): ForeignFinding | undefined {
	const status = one.entry.response?.status;
	if (status === undefined || (one.role === 'application' && error === undefined)) return undefined;
	const isPage = (one.role === 'authorization' || one.role === 'sign_in') && locationOf(one) === undefined;
	// The last page of a provider, with no callback after it, ends the sign-in.
	if (isPage && status < 500 && flow !== undefined && flow.pages.at(-1) !== one) return undefined;
	const isWrongAddress = (status === 404 || status === 405) && !/sign_in|callback|application/.test(one.role);
	const ofOthers = isWrongAddress ? 'wrong_address' : one.role === 'token' && status === 401 ? 'client' : 'rejected';
	const id = status >= 500 ? 'provider_failed' : isPage && !isWrongAddress ? 'error_page' : ofOthers;
	const said = error === undefined ? `${one.host} responded with status ${status}.` : saidText(one, error);
	const text = id === 'error_page' ? `${said} No callback comes after this page.` : said;
	return findingOf('failed', `cause.${id}`, [one], text, { basis: 'response' });
}

function rejections(run: ForeignRun): ForeignFinding[] {
	return run.all.flatMap((one) => {
		if (/^(?:resource|userinfo)$/.test(one.role)) return [];
		const flow = run.flows.find(({ id }) => id === one.entry.flow);
		const isRelay = flow?.relays.includes(one) === true;
		if (one.role === 'application' && !isRelay) return [];
		// A callback repeats the error of the redirect before it. Why it fails itself is found by its sign-in.
		const sentError = sent(one, 'error');
		const isRepeated = run.all.some(
			(other) =>
				other.role !== 'callback' && other.entry.flow === one.entry.flow && received(other, 'error') === sentError
		);
		if (one.role === 'callback' && (isRepeated || sentError === undefined)) return [];
		return rejectionOf(one, run) ?? [];
	});
}

/** Each cause once, with all exchanges that show it. The first one is what the support of the provider would name. */
export function causeFindings(run: ForeignRun): ForeignFinding[] {
	const cors = run.all.flatMap((one) => corsCause(one, run) ?? []);
	const known = [...rejections(run), ...cors, ...callCauses(run), ...renewalCauses(run)];
	// A callback that fails because of its token request has no other cause.
	const ofCallbacks = callbackCauses(run).filter(({ id }) => known.length === 0 || id !== 'cause.callback_rejected');
	const clock = ofCallbacks.some(({ id }) => id === 'cause.clock') ? undefined : recorderClock(run);
	const all = [...known, ...ofCallbacks, ...(clock === undefined ? [] : [clock])];
	const first = all.filter((one, at) => all.findIndex(({ id }) => id === one.id) === at);
	return first.map((one) => ({
		...one,
		exchanges: [...new Set(all.filter(({ id }) => id === one.id).flatMap(({ exchanges }) => exchanges))].slice(0, 10)
	}));
}
