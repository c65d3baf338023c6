import { countText } from '#lib/count-text.ts';
import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { splitUrl } from '../raw-exchange.ts';
import { wordsOf } from './finding-words.ts';
import {
	beginOf,
	hasLabelIn,
	hasResponse,
	isLoopback,
	expiryOf,
	findingOf,
	isOk,
	received,
	requestHeaderOf,
	sent,
	sentValue,
	type ForeignFlow,
	type ForeignRun
} from './foreign-run.ts';

/** What a rule says: the exchanges that break it, and those that follow it. Without both, it is not shown. */
type JudgedRule = {
	readonly wrong: readonly (ForeignExchange | undefined)[];
	readonly right: readonly (ForeignExchange | undefined)[];
	/** Legal, but not best. */
	readonly isAdvice?: boolean;
};

/** The parts of a list for which a test holds, and the others. */
function split(list: readonly ForeignExchange[], isWrong: (one: ForeignExchange) => boolean): JudgedRule {
	return { wrong: list.filter(isWrong), right: list.filter((one) => !isWrong(one)) };
}

/** Whether two sign-ins have the same value of a parameter in their authorization requests. */
function repeated({ flows }: ForeignRun, name: string): JudgedRule {
	const requests = flows.flatMap(({ authorization }) => authorization ?? []);
	const withValue = requests.filter((one) => sentValue(one, name) !== undefined);
	const isAgain = (one: ForeignExchange) =>
		withValue.some((other) => other !== one && sentValue(other, name)?.label === sentValue(one, name)?.label);
	return withValue.length < 2 ? { wrong: [], right: [] } : split(withValue, isAgain);
}

/** The value of a parameter in both messages of each sign-in. */
function returned(run: ForeignRun, name: string): JudgedRule {
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
	isSame: (authorization: ForeignExchange, token: ForeignExchange, flow: ForeignFlow) => boolean | undefined
): JudgedRule {
	const both = (wanted: boolean) =>
		flows.flatMap((flow) => {
			const { authorization: first, tokens } = flow;
			return tokens.flatMap((token) =>
				first !== undefined && isSame(first, token, flow) === wanted ? [first, token] : []
			);
		});
	return { wrong: both(false), right: both(true) };
}

const isPlain = (url: ReturnType<typeof splitUrl>) => url?.origin.startsWith('http:') === true && !isLoopback(url.host);

/** Whether the parameters of an authorization request for a code are in it, not in a request object or a pushed request. */
const showsParameters = (one: ForeignExchange) =>
	/^$|\bcode\b/.test(sent(one, 'response_type') ?? '') &&
	sent(one, 'request') === undefined &&
	(one.role === 'par' || (one.role === 'authorization' && sent(one, 'request_uri') === undefined));

/** The rules about what a browser sees of a sign-in at any provider, by the ids of their words. */
const rules: Readonly<Record<string, (run: ForeignRun) => JudgedRule>> = {
	'file.state_returned': (run) => returned(run, 'state'),
	'file.state_fresh': (run) => repeated(run, 'state'),
	'file.nonce_fresh': (run) => repeated(run, 'nonce'),
	'file.callback_uri': ({ flows }) => {
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
	},
	'file.no_secret_in_url': ({ all }) =>
		split(all, (one) => hasLabelIn(one, /^\/request\/target$/, /^(?:access token|refresh token|client secret) /)),
	'file.no_code_in_referer': ({ all }) => {
		const later = all.filter((one) => requestHeaderOf(one, 'referer') !== undefined);
		const header = /^\/request\/headers\/\d+\/1$/;
		return split(
			later,
			(one) =>
				hasLabelIn(one, header, /^code /) && splitUrl(requestHeaderOf(one, 'referer') ?? '')?.origin !== one.origin
		);
	},
	'file.https': ({ all }) =>
		split(all, (one) => [one.origin, sent(one, 'redirect_uri') ?? ''].some((url) => isPlain(splitUrl(url)))),
	'file.pkce': ({ flows }) => {
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
	},
	'file.verifier': (run) =>
		compareTokens(run, (authorization, token, { pages }) => {
			// A code that was accepted, and whose redirect is not in the file, may be that of another request.
			if (isOk(token) && pages.every((one) => received(one, 'code') === undefined)) return undefined;
			const [challenge, verifier] = [sent(authorization, 'code_challenge'), sentValue(token, 'code_verifier')];
			return challenge === undefined || verifier === undefined ? undefined : verifier.id === challenge;
		}),
	'exchange.redirect_uri_same': (run) =>
		compareTokens(run, (authorization, token) => {
			const [first, second] = [sent(authorization, 'redirect_uri'), sent(token, 'redirect_uri')];
			const isExchange = first !== undefined && second !== undefined && sent(token, 'code') !== undefined;
			return isExchange ? first === second : undefined;
		}),
	'file.renewed': (run) => {
		const calls = run.of('resource', 'userinfo').filter((one) => expiryOf(one, run) !== undefined);
		return split(calls, (one) => beginOf(one) > (expiryOf(one, run) ?? Infinity) && !isOk(one));
	},
	'file.rotation': (run) => {
		const replaced = run
			.of('token')
			.filter((one) => isOk(one) && sentValue(one, 'refresh_token') && received(one, 'refresh_token') !== undefined)
			.filter((one) => sent(one, 'refresh_token') !== received(one, 'refresh_token'));
		const again = replaced.flatMap((first) =>
			run
				.of('token')
				.filter((one) => one.entry.seq > first.entry.seq && sent(one, 'refresh_token') === sent(first, 'refresh_token'))
		);
		return { wrong: again, right: again.length > 0 ? [] : replaced };
	},
	'file.response_type': (run) =>
		split(run.of('authorization'), (one) => (sent(one, 'response_type') ?? 'code').split(' ').includes('token')),
	'file.token_audience': (run) => {
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
};

/** What the rules about the browser's side say. */
export function browserFindings(run: ForeignRun): ForeignFinding[] {
	const isOfClient = run.of('authorization', 'callback').length === 0;
	return Object.entries(rules).map(([id, judge]) => {
		const { needs: usual, failed = '' } = wordsOf(id);
		const needs = isOfClient && usual === 'back channel' ? 'the file of the browser' : usual;
		const { wrong, right, isAdvice = false } = judge(run);
		const count = new Set(right).size;
		if (wrong.length > 0) return findingOf(isAdvice ? 'difference' : 'failed', id, wrong, failed);
		if (count > 0) return findingOf('shown', id, right, `Seen in ${countText(count, 'exchange')}.`);
		return findingOf('not_shown', id, [], `Not shown. Needs: ${needs}.`, { needs });
	});
}
