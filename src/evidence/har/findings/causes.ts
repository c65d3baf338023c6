import { errorOf } from '../describe-exchange.ts';
import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { callbackCauses } from './callback-causes.ts';
import { callCauses } from './call-causes.ts';
import { errorCauses } from './error-causes.ts';
import {
	beginOf,
	findingOf,
	isOk,
	received,
	sent,
	sentValue,
	timeText,
	type ForeignFlow,
	type ForeignRun
} from './foreign-run.ts';

/** Why a token request failed, where the file shows more than the error. Undefined: the error is all that is known. */
function tokenCause(token: ForeignExchange, flow: ForeignFlow): ForeignFinding | undefined {
	const { authorization, callbacks, tokens } = flow;
	const error = errorOf(token.entry);
	const detail = error?.text === undefined || error.text === '' ? '' : ` The provider says: ${error.text}`;
	const words = { severity: 2 as const, basis: 'inferred' as const };
	const code = sentValue(token, 'code');
	const isSameCode = (one: ForeignExchange) => one !== token && sentValue(one, 'code')?.label === code?.label;
	const before = code && tokens.find((one) => isSameCode(one) && one.entry.seq < token.entry.seq);
	if (before !== undefined)
		return findingOf('failed', [before, token], {
			...words,
			id: 'cause.code_used',
			title: 'The code is used twice',
			text: `The same code was sent at ${timeText(beginOf(before))} and at ${timeText(beginOf(token))}.${detail}`,
			cause: 'The callback ran twice: a reload, a double effect of a page, or a proxy that repeats requests.',
			fix: 'Exchange the code once, and redirect to a page without the code before anything else is shown.',
			sections: ['RFC 6749 §4.1.2']
		});
	const [first, second] = [authorization && sent(authorization, 'redirect_uri'), sent(token, 'redirect_uri')];
	if (code && first !== undefined && first !== second)
		return findingOf('failed', [authorization, token], {
			...words,
			id: 'cause.redirect_uri_token',
			title: 'The redirect URI differs at the token endpoint',
			text: `The authorization request has ${first}, and the token request ${second === undefined ? 'none' : second}.${detail}`,
			cause: 'The two values come from different settings, or one ends with a slash.',
			fix: 'Use one constant for both requests.',
			sections: ['RFC 6749 §4.1.3']
		});
	const challenge = authorization && sent(authorization, 'code_challenge');
	const verifier = sentValue(token, 'code_verifier');
	if (code && challenge !== undefined && verifier?.id !== challenge)
		return findingOf('failed', [authorization, token], {
			...words,
			id: 'cause.pkce',
			title: 'PKCE fails',
			text: `The token request has ${verifier === undefined ? 'no code_verifier' : 'another code_verifier than the code_challenge needs'}.${detail}`,
			cause:
				verifier === undefined
					? 'The verifier was lost between the authorization request and the callback.'
					: 'The verifier of another sign-in was sent, or the challenge was computed in another way.',
			fix: 'Store the code_verifier beside the state of its sign-in, and send it with the code.',
			sections: ['RFC 7636 §4.6']
		});
	const [callback] = callbacks;
	const age = callback === undefined ? 0 : (beginOf(token) - beginOf(callback)) / 1000;
	if (code && age > 30)
		return findingOf('failed', [callback, token], {
			...words,
			id: 'cause.code_expired',
			title: 'The code has expired',
			text: `The token request came ${Math.round(age)} s after the code.${detail}`,
			cause: 'Codes live for a short time, often 30 to 60 s.',
			fix: 'Exchange the code in the request of the callback, before slow work.',
			sections: ['RFC 6749 §4.1.2']
		});
	return undefined;
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
		const found = error === undefined ? undefined : errorCauses.find(({ codes }) => codes.test(error.code));
		if (error === undefined || found === undefined) return otherRejection(one);
		if (found.isExpected === true) return [];
		const { id, title, cause, fix, severity, sections } = found;
		const text = `The provider responded with ${error.code}${error.text === '' ? '.' : `: ${error.text}`}`;
		return [findingOf('failed', [one], { id, title, cause, fix, severity, sections, text, basis: 'response' })];
	});
}

function otherRejection(one: ForeignExchange): ForeignFinding[] {
	const { response } = one.entry;
	const error = errorOf(one.entry);
	if (response === null && (one.role === 'token' || one.role === 'userinfo') && one.from === 'browser')
		return [
			findingOf('failed', [one], {
				id: 'cause.cors',
				title: 'The browser blocked the request',
				severity: 2,
				text: `The browser got no response from ${one.host}.`,
				cause: 'The endpoint allows no requests of pages (CORS), or the network failed.',
				fix: 'Send the request from your server, or register the origin of the page at the provider.'
			})
		];
	if (response === null || (response.status < 500 && error === undefined && one.role === 'sign_in')) return [];
	const isServer = response.status >= 500;
	return [
		findingOf('failed', [one], {
			id: isServer ? 'cause.provider_failed' : 'cause.rejected',
			title: isServer ? 'The provider failed' : 'The provider rejected the request',
			severity: 2,
			basis: 'response',
			text: `${one.host} responded with ${error === undefined ? `status ${response.status}` : error.code}${error === undefined || error.text === '' ? '.' : `: ${error.text}`}`,
			cause: isServer
				? 'An error of the provider, not of your client.'
				: 'The documentation of the provider explains this error.',
			fix: isServer
				? 'Try again later, with growing pauses.'
				: 'Compare the request with the documentation of the endpoint.'
		})
	];
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
