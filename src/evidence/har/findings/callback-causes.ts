import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { withIssuerSlash } from './dialect-rows.ts';
import {
	beginOf,
	findingOf,
	isOk,
	isPosted,
	requestHeaderOf,
	responseHeaderOf,
	sent,
	sentValue,
	type ForeignRun
} from './foreign-run.ts';

/** Callbacks that the application rejected: its state or cookie was lost, a clock or the issuer differs. */
export function callbackCauses(run: ForeignRun): ForeignFinding[] {
	return run.of('callback').flatMap((callback): ForeignFinding[] => {
		if (sent(callback, 'code') === undefined) return [];
		const flow = run.flows.find(({ id }) => id === callback.entry.flow);
		const next = run.all.filter(({ entry }) => entry.seq > callback.entry.seq);
		const start = flow?.authorization;
		const again = next.find(({ role }) => role === 'authorization' || role === 'callback');
		const isSignedIn = flow?.tokens.some(isOk) === true;
		const restart = again !== undefined && !isSignedIn && repeats(start, again, callback) ? again : undefined;
		const isRejected =
			!isOk(callback) ||
			/[?&]error=|\/(?:error|failed|denied)\b/.test(responseHeaderOf(callback, 'location') ?? '') ||
			restart !== undefined;
		const own = run.of('application').findLast(({ entry }) => entry.flow === callback.entry.flow);
		if (start !== undefined && sentValue(start, 'state') !== undefined && sent(callback, 'state') === undefined) {
			const text = 'The authorization request has a state, and the callback has none.';
			return [findingOf('failed', 'cause.state_lost', [start, callback], text)];
		}
		if (!isRejected) return [];
		if (own !== undefined && own.host !== callback.host) {
			const text = `The sign-in began at ${own.host}, and the callback is at ${callback.host}. Cookies of the one are not sent to the other.`;
			return [findingOf('failed', 'cause.other_host', [own, callback], text)];
		}
		const set = own && responseHeaderOf(own, 'set-cookie');
		if (run.hasCookies && requestHeaderOf(callback, 'cookie') === undefined) return [cookieFinding(own, callback, set)];
		const issuers = withIssuerSlash(run);
		if (issuers.length > 0) {
			const text =
				'The application rejected the callback, and the file names the issuer with and without a slash at its end.';
			return [findingOf('failed', 'cause.issuer_slash', [...issuers, callback], text)];
		}
		const clock = clockDifference(run, callback);
		if (clock !== undefined) return [clock];
		const loop = restart === undefined ? '' : ' The sign-in began again at once.';
		const { response } = callback.entry;
		const text = `The callback got ${response === null ? 'no response' : `status ${response.status}`}.${loop}`;
		return [findingOf('failed', 'cause.callback_rejected', [start, callback, restart], text)];
	});
}

/** Whether a request begins the same sign-in again, right after its callback. A silent renewal does not. */
function repeats(start: ForeignExchange | undefined, again: ForeignExchange, callback: ForeignExchange): boolean {
	const isSame = ['client_id', 'redirect_uri', 'scope'].every(
		(name) => start === undefined || sent(start, name) === sent(again, name)
	);
	const isSoon = beginOf(again) - callback.entry.at < 10_000;
	return again.role === 'authorization' && isSame && isSoon && sent(again, 'prompt') !== 'none';
}

function cookieFinding(
	own: ForeignExchange | undefined,
	callback: ForeignExchange,
	set: string | undefined
): ForeignFinding {
	const text = 'The callback request has no Cookie header, so the application cannot compare the state.';
	const more = isPosted(callback)
		? {
				cause:
					'A form of another site posts the callback, and the browser sends only cookies with SameSite=None and Secure.',
				fix: 'Set the cookie with SameSite=None and Secure, or use response_mode=query.'
			}
		: /samesite=strict/i.test(set ?? '')
			? { cause: 'The cookie has SameSite=Strict, so the browser does not send it after a redirect of another site.' }
			: {};
	return findingOf('failed', 'cause.cookie', [own, callback], text, more);
}

/** The seconds by which the clock of a host is ahead of that of the recorder. Dates have whole seconds. */
function clockOf(one: ForeignExchange): number | undefined {
	const date = Date.parse(responseHeaderOf(one, 'date') ?? '');
	return Number.isNaN(date) || one.entry.at === 0 ? undefined : (date - one.entry.at) / 1000;
}

function clockDifference(run: ForeignRun, callback: ForeignExchange): ForeignFinding | undefined {
	const own = clockOf(callback);
	const provider = run.all.find((one) => one.to === 'authorization' && clockOf(one) !== undefined);
	const other = provider && clockOf(provider);
	if (own === undefined || other === undefined || Math.abs(own - other) < 30) return undefined;
	const seconds = Math.round(Math.abs(own - other));
	const than = own < other ? 'behind' : 'ahead of';
	const text = `By the Date headers, the clock of the application is ${seconds} s ${than} that of the provider.`;
	return findingOf('failed', 'cause.clock', [provider, callback], text);
}
