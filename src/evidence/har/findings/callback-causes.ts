import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { withIssuerSlash } from './dialect-rows.ts';
import {
	beginOf,
	findingOf,
	isOk,
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
		const words = { severity: 2 as const, sections: ['RFC 6749 §10.12'] };
		if (start !== undefined && sentValue(start, 'state') !== undefined && sent(callback, 'state') === undefined)
			return [
				findingOf('failed', [start, callback], {
					...words,
					id: 'cause.state_lost',
					title: 'The state is lost',
					text: 'The authorization request has a state, and the callback has none.',
					cause: 'The provider or a proxy dropped the parameter.',
					fix: 'Read the state from the query of the callback, and reject a callback without it.'
				})
			];
		if (!isRejected) return [];
		if (own !== undefined && own.host !== callback.host)
			return [
				findingOf('failed', [own, callback], {
					...words,
					id: 'cause.other_host',
					title: 'The callback has another host',
					text: `The sign-in began at ${own.host}, and the callback is at ${callback.host}. Cookies of the one are not sent to the other.`,
					cause: 'The redirect URI names another host than the one that users open.',
					fix: 'Open the application at the host of its redirect URI, or register the other one.'
				})
			];
		const set = own && responseHeaderOf(own, 'set-cookie');
		if (run.hasCookies && requestHeaderOf(callback, 'cookie') === undefined) return [cookieFinding(own, callback, set)];
		const issuers = withIssuerSlash(run);
		if (issuers.length > 0)
			return [
				findingOf('failed', [...issuers, callback], {
					...words,
					id: 'cause.issuer_slash',
					title: 'The issuer has a slash at its end in one place only',
					text: 'The application rejected the callback, and the file names the issuer with and without a slash at its end.',
					cause:
						'Issuers are compared as texts. The one in the settings of the application differs from that of the provider.',
					fix: 'Copy the issuer from the metadata of the provider, with or without its slash.',
					sections: ['RFC 8414 §3.3']
				})
			];
		const clock = clockDifference(run, callback);
		if (clock !== undefined) return [clock];
		const loop = restart === undefined ? '' : ' The sign-in began again at once.';
		return [
			findingOf('failed', [start, callback, restart], {
				...words,
				id: 'cause.callback_rejected',
				title: 'The application rejects the callback',
				text: `The callback got ${callback.entry.response === null ? 'no response' : `status ${callback.entry.response.status}`}.${loop}`,
				cause:
					'The provider issued a code. The application lost its session, did not know the state, or its token request failed.',
				fix: 'Read the log of the application at this time, and add the back channel with npx tollgate watch.'
			})
		];
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
	const isPost = callback.entry.request.method === 'POST';
	const why = isPost
		? 'A form of another site posts the callback, and the browser sends only cookies with SameSite=None and Secure.'
		: /samesite=strict/i.test(set ?? '')
			? 'The cookie has SameSite=Strict, so the browser does not send it after a redirect of another site.'
			: 'The browser blocked the cookie, or its Domain, Path or Secure does not fit to the callback.';
	return findingOf('failed', [own, callback], {
		id: 'cause.cookie',
		title: 'The session cookie is not sent to the callback',
		severity: 2,
		text: 'The callback request has no Cookie header, so the application cannot compare the state.',
		cause: why,
		fix: isPost
			? 'Set the cookie with SameSite=None and Secure, or use response_mode=query.'
			: 'Set the cookie with SameSite=Lax, Secure and Path=/, on the host of the redirect URI.',
		sections: ['RFC 6265 §5.3']
	});
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
	return findingOf('failed', [provider, callback], {
		id: 'cause.clock',
		title: 'The clocks differ',
		severity: 2,
		text: `By the Date headers, the clock of the application is ${seconds} s ${own < other ? 'behind' : 'ahead of'} that of the provider.`,
		cause: 'A token that was just issued is not valid yet, or has expired already, by the clock of the application.',
		fix: 'Synchronize the clock of the application (NTP), and allow a difference of 60 s.',
		sections: ['RFC 7519 §4.1.4']
	});
}
