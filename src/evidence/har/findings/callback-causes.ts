import { errorOf, quotedError } from '../describe-exchange.ts';
import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { clockDifference } from './clocks.ts';
import { withIssuerSlash } from './dialect-rows.ts';
import {
	beginOf,
	findingOf,
	isOk,
	isPosted,
	locationOf,
	requestHeaderOf,
	responseHeaderOf,
	sent,
	sentValue,
	type ForeignFlow,
	type ForeignRun
} from './foreign-run.ts';

/** A path of an application that shows an error, or where a sign-in begins again. */
const errorPath =
	/[?&#](?:auth_?)?error(?:_?code)?=[^&]|\/(?:error|failed|failure|denied)\b|\/(?:login|log-in|signin|sign-in)\/?(?:$|[?#])/i;

const csrfWords = /cross-site post|csrf (?:token|check|verification)|invalid csrf|forbidden.{0,20}csrf/i;
const stateWords =
	/\bcsrf|state[ _](?:mismatch|not|invalid|missing|unknown|error|check|verification)|(?:invalid|missing|unknown|wrong|mismatch(?:ing)?|no matching|bad)[ _]state/i;

/** What the application responds to a callback, in its own words. */
function responseText(callback: ForeignExchange): string {
	const { response } = callback.entry;
	if (response === null) return 'no response';
	const location = locationOf(callback);
	const own = { ...callback.entry, endpoint: 'application' };
	const error = errorOf(own);
	const said = error === undefined ? '' : `: ${quotedError(error)}`;
	const to = location === undefined ? '' : ` and leads to ${location}`;
	return `status ${response.status}${to}${location === undefined ? said : ''}`;
}

/** Whether the browser opened a page. A script that loads parts of it repeats its address. */
const isNavigation = (one: ForeignExchange) => /^(?:navigate)?$/.test(requestHeaderOf(one, 'sec-fetch-mode') ?? '');

/** Whether the application rejected a callback, as far as its response shows. */
export function isRejected(callback: ForeignExchange): boolean {
	return !isOk(callback) || errorPath.test(locationOf(callback) ?? '');
}

/** The request that begins the same sign-in again, right after its callback. A silent renewal does not. */
function restartOf(
	run: ForeignRun,
	callback: ForeignExchange,
	flow: ForeignFlow | undefined
): ForeignExchange | undefined {
	const start = flow?.authorization;
	const next = run.all.filter(({ entry }) => entry.seq > callback.entry.seq);
	const again = next.find(({ role }) => role === 'authorization' || role === 'callback');
	if (again?.role !== 'authorization' || flow?.tokens.some(isOk) === true) return undefined;
	const isSame = ['client_id', 'redirect_uri', 'scope'].every(
		(name) => start === undefined || sent(start, name) === sent(again, name)
	);
	const isSoon = beginOf(again) - callback.entry.at < 10_000;
	return isSame && isSoon && sent(again, 'prompt') !== 'none' ? again : undefined;
}

/** Callbacks that the application rejected: its state or cookie was lost, it came twice, a clock or the issuer differs. */
export function callbackCauses(run: ForeignRun): ForeignFinding[] {
	return run.of('callback').flatMap((callback): ForeignFinding[] => {
		if (sent(callback, 'code') === undefined) return [];
		const flow = run.flows.find(({ id }) => id === callback.entry.flow);
		const start = flow?.authorization;
		if (start !== undefined && sentValue(start, 'state') !== undefined && sent(callback, 'state') === undefined) {
			const text = 'The authorization request has a state, and the callback has none.';
			return [findingOf('failed', 'cause.state_lost', [start, callback], text)];
		}
		const restart = restartOf(run, callback, flow);
		const isWrong = isRejected(callback);
		const response = responseText(callback);
		const said = `The callback got ${response}.`;
		const code = sentValue(callback, 'code')?.label;
		const before = flow?.callbacks.find((one) => sentValue(one, 'code')?.label === code);
		const isAccepted = isOk(callback) && !isWrong && locationOf(callback) !== undefined;
		if (before !== undefined && before !== callback && isNavigation(callback) && !isAccepted) {
			const text = `The same callback was requested twice. The first got ${responseText(before)}, the second ${response}.`;
			return [findingOf('failed', 'cause.callback_twice', [before, callback], text)];
		}
		if (!isWrong && restart === undefined) return [];
		if (csrfWords.test(response) && isPosted(callback)) return [findingOf('failed', 'cause.csrf', [callback], said)];
		const own = run
			.of('application')
			.findLast(({ entry }) => entry.flow === callback.entry.flow && entry.seq < callback.entry.seq);
		if (own !== undefined && own.host !== callback.host) {
			const text = `The sign-in began at ${own.host}, and the callback is at ${callback.host}. Cookies of the one are not sent to the other. ${said}`;
			return [findingOf('failed', 'cause.other_host', [own, callback], text)];
		}
		const cookie = cookieCause(run, callback, own);
		if (cookie !== undefined) return [cookie];
		const issuers = withIssuerSlash(run);
		if (issuers.length > 0) {
			const text =
				'The application rejected the callback, and the file names the issuer with and without a slash at its end.';
			return [findingOf('failed', 'cause.issuer_slash', [...issuers, callback], text)];
		}
		const clock = clockDifference(run, callback);
		if (clock !== undefined) return [clock];
		if (stateWords.test(response)) return [findingOf('failed', 'cause.state_unknown', [start, callback], said)];
		const loop = restart === undefined ? '' : ' The sign-in began again at once.';
		return [findingOf('failed', 'cause.callback_rejected', [start, callback, restart], said + loop)];
	});
}

/** A callback without the cookie of the session. A recorder that leaves cookies out shows it by the form only. */
function cookieCause(
	run: ForeignRun,
	callback: ForeignExchange,
	own: ForeignExchange | undefined
): ForeignFinding | undefined {
	if (requestHeaderOf(callback, 'cookie') !== undefined) return undefined;
	if (!run.hasCookies && !isPosted(callback)) return undefined;
	const text = run.hasCookies
		? `The callback request has no Cookie header, so the application cannot compare the state. It got ${responseText(callback)}.`
		: `A form of another site posted the callback, and it got ${responseText(callback)}. The file has no cookies, so it does not show which were sent.`;
	const set = (own && responseHeaderOf(own, 'set-cookie')) ?? '';
	const more = isPosted(callback)
		? {
				cause:
					'A form of another site posts the callback, and the browser sends only cookies with SameSite=None and Secure.',
				fix: 'Set the cookie with SameSite=None and Secure, or use response_mode=query.'
			}
		: /samesite=strict/i.test(set)
			? { cause: 'The cookie has SameSite=Strict, so the browser does not send it after a redirect of another site.' }
			: {};
	return findingOf('failed', 'cause.cookie', [own, callback], text, more);
}
