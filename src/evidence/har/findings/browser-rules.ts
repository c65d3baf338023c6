import type { Severity } from '#api/exam.ts';
import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { splitUrl } from '../raw-exchange.ts';
import {
	beginOf,
	hasLabelIn,
	isLoopback,
	expiryOf,
	findingOf,
	isOk,
	received,
	requestHeaderOf,
	sent,
	sentValue,
	type ForeignRun
} from './foreign-run.ts';

/** What a rule says: the exchanges that break it, and those that follow it. Without both, it is not shown. */
type Judged = {
	readonly wrong: readonly (ForeignExchange | undefined)[];
	readonly right: readonly (ForeignExchange | undefined)[];
	/** Legal, but not best. */
	readonly isAdvice?: boolean;
};

/** A rule about what a browser sees of a sign-in at any provider. */
type BrowserRule = {
	readonly id: string;
	readonly title: string;
	readonly severity: Severity;
	readonly needs: string;
	readonly sections: readonly string[];
	readonly failed: string;
	readonly cause: string;
	readonly fix: string;
	readonly judge: (run: ForeignRun) => Judged;
};

/** The parts of a list for which a test holds, and the others. */
function split(list: readonly ForeignExchange[], isWrong: (one: ForeignExchange) => boolean): Judged {
	return { wrong: list.filter(isWrong), right: list.filter((one) => !isWrong(one)) };
}

/** The value of a parameter in both messages of each sign-in. */
function returned(run: ForeignRun, name: string): Judged {
	const pairs = run.flows.flatMap(({ authorization, callbacks }) => {
		const first = authorization && sentValue(authorization, name);
		return first === undefined ? [] : callbacks.map((callback) => ({ first, authorization, callback }));
	});
	const isSame = ({ first, callback }: (typeof pairs)[number]) => sentValue(callback, name)?.label === first.label;
	const both = (list: typeof pairs) => list.flatMap(({ authorization, callback }) => [authorization, callback]);
	return {
		wrong: both(pairs.filter((pair) => !isSame(pair) && hasResponse(pair.callback))),
		right: both(pairs.filter(isSame))
	};
}

/** Compares the authorization request of each sign-in with its token requests. @param isSame undefined: they cannot be compared */
function compareTokens(
	{ flows }: ForeignRun,
	isSame: (authorization: ForeignExchange, token: ForeignExchange) => boolean | undefined
): Judged {
	const both = (wanted: boolean) =>
		flows.flatMap(({ authorization: first, tokens }) =>
			tokens.flatMap((token) => (first !== undefined && isSame(first, token) === wanted ? [first, token] : []))
		);
	return { wrong: both(false), right: both(true) };
}

/** Whether a callback has an authorization response in its URL or its form. A page reads a fragment itself. */
const hasResponse = (callback: ForeignExchange) =>
	['code', 'error', 'state'].some((name) => sent(callback, name) !== undefined);

/** Whether the parameters of an authorization request for a code are in it, not in a request object or a pushed request. */
const showsParameters = (one: ForeignExchange) =>
	/^$|\bcode\b/.test(sent(one, 'response_type') ?? '') &&
	sent(one, 'request') === undefined &&
	(one.role === 'par' || (one.role === 'authorization' && sent(one, 'request_uri') === undefined));

const rules: readonly BrowserRule[] = [
	{
		id: 'file.state_returned',
		title: 'The state comes back unchanged',
		severity: 1,
		needs: 'a callback with a state',
		sections: ['RFC 6749 §4.1.2'],
		failed: 'The callback has another state than the authorization request.',
		cause: 'The response belongs to another sign-in, or something between changed the URL.',
		fix: 'Start the sign-in again. Accept a callback only if its state is that of this browser.',
		judge: (run) => returned(run, 'state')
	},
	{
		id: 'file.callback_uri',
		title: 'The callback is the redirect URI',
		severity: 2,
		needs: 'a callback',
		sections: ['RFC 6749 §3.1.2'],
		failed: 'The browser came back to another address than the redirect URI of the request.',
		cause: 'The provider used its registered redirect URI, or a proxy rewrote the address.',
		fix: 'Send the redirect URI exactly as it is registered.',
		judge: ({ flows }) => {
			const wanted = new Map(
				flows.flatMap(({ authorization, callbacks }) => {
					const url = splitUrl((authorization && sent(authorization, 'redirect_uri')) ?? '');
					return url === undefined ? [] : callbacks.map((one) => [one, url.origin + url.path] as const);
				})
			);
			return split(
				[...wanted.keys()],
				(one) => one.origin + (one.entry.request.target.split('?', 1)[0] ?? '') !== wanted.get(one)
			);
		}
	},
	{
		id: 'file.no_secret_in_url',
		title: 'No secret in a URL',
		severity: 1,
		needs: 'a request',
		sections: ['RFC 9700 §4.3.2'],
		failed: 'A URL contains an access token, a refresh token or a client secret.',
		cause: 'URLs are stored in histories, logs and Referer headers.',
		fix: 'Send tokens in the Authorization header, and secrets in the body of a request of your server.',
		judge: ({ all }) =>
			split(all, (one) => hasLabelIn(one, /^\/request\/target$/, /^(?:access token|refresh token|client secret) /))
	},
	{
		id: 'file.no_code_in_referer',
		title: 'The code leaks to no other site',
		severity: 1,
		needs: 'a request after the callback',
		sections: ['RFC 9700 §4.2'],
		failed: 'A request to another site has the code in its Referer header.',
		cause: 'The callback page loads files of another site while the code is in its URL.',
		fix: 'Redirect at once from the callback, or set Referrer-Policy: no-referrer.',
		judge: ({ all }) => {
			const later = all.filter((one) => requestHeaderOf(one, 'referer') !== undefined);
			const header = /^\/request\/headers\/\d+\/1$/;
			return split(
				later,
				(one) =>
					hasLabelIn(one, header, /^code /) && splitUrl(requestHeaderOf(one, 'referer') ?? '')?.origin !== one.origin
			);
		}
	},
	{
		id: 'file.https',
		title: 'All requests use HTTPS',
		severity: 1,
		needs: 'a request',
		sections: ['RFC 9700 §2.6'],
		failed: 'A request of the sign-in was sent without encryption.',
		cause: 'The URL begins with http: and its host is not this computer.',
		fix: 'Use HTTPS for the application and its redirect URI. Only a loopback address may use HTTP.',
		judge: ({ all }) => split(all, ({ origin, host }) => origin.startsWith('http:') && !isLoopback(host))
	},
	{
		id: 'file.pkce',
		title: 'PKCE with S256 protects the code',
		severity: 3,
		needs: 'an authorization request with response_type code',
		sections: ['RFC 9700 §2.1.1'],
		failed: 'The authorization request has no code_challenge with the method S256.',
		cause: 'The client library does not use PKCE, or uses the method plain.',
		fix: 'Send a new code_challenge with code_challenge_method=S256, and the code_verifier with the code.',
		judge: ({ flows }) => {
			const requests = flows.flatMap(({ authorization }) =>
				authorization !== undefined && showsParameters(authorization) ? [authorization] : []
			);
			const judged = split(
				requests,
				(one) => sent(one, 'code_challenge') === undefined || sent(one, 'code_challenge_method') !== 'S256'
			);
			const isBound = (one: ForeignExchange | undefined) =>
				one !== undefined && (sent(one, 'state') ?? sent(one, 'nonce')) !== undefined;
			return { ...judged, isAdvice: judged.wrong.every(isBound) };
		}
	},
	{
		id: 'file.verifier',
		title: 'The PKCE verifier matches',
		severity: 2,
		needs: 'back channel',
		sections: ['RFC 7636 §4.6'],
		failed: 'The code verifier is not the one whose digest was the code challenge.',
		cause:
			'The verifier of another sign-in was sent: it was stored for the browser as a whole, or a second tab replaced it.',
		fix: 'Store each code verifier beside the state of its sign-in.',
		judge: (run) =>
			compareTokens(run, (authorization, token) => {
				const [challenge, verifier] = [sent(authorization, 'code_challenge'), sentValue(token, 'code_verifier')];
				return challenge === undefined || verifier === undefined ? undefined : verifier.id === challenge;
			})
	},
	{
		id: 'exchange.redirect_uri_same',
		title: 'The exchange repeats the redirect URI',
		severity: 2,
		needs: 'back channel',
		sections: ['RFC 6749 §4.1.3'],
		failed: 'The redirect_uri of the token request differs from that of the authorization request.',
		cause: 'The two values come from different settings, or one ends with a slash.',
		fix: 'Use one constant for both requests.',
		judge: (run) =>
			compareTokens(run, (authorization, token) => {
				const [first, second] = [sent(authorization, 'redirect_uri'), sent(token, 'redirect_uri')];
				const isExchange = first !== undefined && second !== undefined && sent(token, 'code') !== undefined;
				return isExchange ? first === second : undefined;
			})
	},
	{
		id: 'file.renewed',
		title: 'The token is renewed before it expires',
		severity: 2,
		needs: 'a token whose expiry the file shows',
		sections: ['RFC 6749 §1.5'],
		failed: 'A request has a token that had expired.',
		cause: 'The client does not check the expiry before a request.',
		fix: 'Renew the token 10 s before it expires. Sign in again only if that fails with invalid_grant.',
		judge: (run) => {
			const calls = run.of('resource', 'userinfo').filter((one) => expiryOf(one, run) !== undefined);
			return split(calls, (one) => beginOf(one) > (expiryOf(one, run) ?? Infinity) && !isOk(one));
		}
	},
	{
		id: 'file.rotation',
		title: 'A replaced refresh token is not used again',
		severity: 2,
		needs: 'a refresh that replaces the token',
		sections: ['RFC 9700 §4.14.2'],
		failed: 'A refresh token was sent again after a refresh had replaced it.',
		cause: 'The client did not store the new refresh token, or two refreshes ran at the same time.',
		fix: 'Store the new refresh token of each response, and let one refresh run at a time.',
		judge: (run) => {
			const replaced = run
				.of('token')
				.filter((one) => isOk(one) && sentValue(one, 'refresh_token') && received(one, 'refresh_token') !== undefined)
				.filter((one) => sent(one, 'refresh_token') !== received(one, 'refresh_token'));
			const again = replaced.flatMap((first) =>
				run
					.of('token')
					.filter(
						(one) => one.entry.seq > first.entry.seq && sent(one, 'refresh_token') === sent(first, 'refresh_token')
					)
			);
			return { wrong: again, right: again.length > 0 ? [] : replaced };
		}
	},
	{
		id: 'file.response_type',
		title: 'Tokens do not come through the browser',
		severity: 3,
		needs: 'an authorization request',
		sections: ['RFC 9700 §2.1.2'],
		failed: 'The authorization request asks for an access token in the URL.',
		cause: 'The implicit grant puts the token into the address of the page.',
		fix: 'Use response_type=code with PKCE.',
		judge: (run) =>
			split(run.of('authorization'), (one) => (sent(one, 'response_type') ?? 'code').split(' ').includes('token'))
	},
	{
		id: 'file.token_audience',
		title: 'The ID token is for this client',
		severity: 1,
		needs: 'an ID token of a client whose id the file shows',
		sections: ['OpenID Connect Core §3.1.3.7'],
		failed: 'The audience of the ID token is another client.',
		cause: 'The token was issued for another client of the provider.',
		fix: 'Accept an ID token only if its aud contains your client_id.',
		judge: (run) => {
			const withToken = run.all.filter(
				({ entry, tokens }) =>
					entry.client_id !== undefined && tokens.some(({ label, claims }) => /^ID token/.test(label) && claims.aud)
			);
			return split(withToken, ({ entry, tokens }) =>
				tokens.some(
					({ label, claims }) => /^ID token/.test(label) && claims.aud?.includes(entry.client_id ?? '') === false
				)
			);
		}
	}
];

/** What the rules about the browser's side say. */
export function browserFindings(run: ForeignRun): ForeignFinding[] {
	const isOfClient = run.of('authorization', 'callback').length === 0;
	return rules.map(({ judge, failed, cause, fix, needs: usual, severity, ...rule }) => {
		const needs = isOfClient && usual === 'back channel' ? 'the file of the browser' : usual;
		const { wrong, right, isAdvice = false } = judge(run);
		const words = { ...rule, text: failed, cause, fix };
		if (wrong.length > 0 && isAdvice) return findingOf('difference', wrong, words);
		if (wrong.length > 0) return findingOf('failed', wrong, { ...words, severity });
		const count = new Set(right).size;
		if (count > 0)
			return findingOf('shown', right, {
				...rule,
				text: `Seen in ${count} ${count === 1 ? 'exchange' : 'exchanges'}.`
			});
		return findingOf('not_shown', [], { ...rule, text: `Not shown. Needs: ${needs}.`, needs });
	});
}
