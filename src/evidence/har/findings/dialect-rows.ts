import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { wordsOf } from './finding-words.ts';
import { findingOf, isOk, isPosted, received, requestHeaderOf, sent, type ForeignRun } from './foreign-run.ts';
import { rateLimitIn } from './rate-limits.ts';

const withoutSlash = (text: string) => text.replace(/\/$/, '');
const hasComma = (text = '') => /^[^\s,]+(?:,[^\s,]+)+$/.test(text);
const tokens = (run: ForeignRun) => run.of('token').filter((one) => received(one, 'access_token') !== undefined);

/** All issuers that a file names: in metadata, in callbacks and in tokens. */
const issuersIn = (one: ForeignExchange): string[] => [
	...(one.role === 'metadata' ? [received(one, 'issuer') ?? ''] : []),
	...(one.role === 'callback' ? [sent(one, 'iss') ?? ''] : []),
	...one.tokens.map(({ claims }) => claims.iss ?? '')
];

/** The exchanges of issuers that occur with and without a slash at their end. */
export function withIssuerSlash(run: ForeignRun): readonly ForeignExchange[] {
	const all = new Set(run.all.flatMap(issuersIn).filter((issuer) => issuer !== ''));
	const isDoubled = (issuer: string) =>
		issuer !== '' && all.has(issuer.endsWith('/') ? withoutSlash(issuer) : `${issuer}/`);
	return run.all.filter((one) => issuersIn(one).some(isDoubled));
}

/** Differences between a provider and the standards, by the ids of their words. No client is wrong. */
const rows: Readonly<Record<string, (run: ForeignRun) => readonly ForeignExchange[]>> = {
	comma_scopes: (run) =>
		run.all.filter(
			(one) =>
				/authorization|token|par/.test(one.role) &&
				(hasComma(sent(one, 'scope')) || hasComma(received(one, 'scope')) || hasComma(sent(one, 'user_scope')))
		),
	expires: (run) =>
		tokens(run).filter((one) => received(one, 'expires_in') === undefined && received(one, 'expires') !== undefined),
	no_expiry: (run) =>
		tokens(run).filter((one) => received(one, 'expires_in') === undefined && received(one, 'expires') === undefined),
	text_expires_in: (run) => tokens(run).filter(({ entry }) => /"expires_in":"\d/.test(entry.response?.body ?? '')),
	form_response: (run) => tokens(run).filter(({ entry }) => !/^\s*\{/.test(entry.response?.body ?? '{')),
	error_with_200: (run) => run.of('token').filter((one) => isOk(one) && received(one, 'error') !== undefined),
	ok_field: (run) =>
		run.of('token', 'resource').filter(({ entry }) => /^\{"ok":(?:true|false)/.test(entry.response?.body ?? '')),
	no_response_type: (run) =>
		run
			.of('authorization')
			.filter(
				(one) => ['response_type', 'request_uri', 'request'].every((name) => sent(one, name) === undefined) && isOk(one)
			),
	no_grant_type: (run) => tokens(run).filter((one) => sent(one, 'grant_type') === undefined),
	token_by_get: (run) => run.of('token').filter(({ entry }) => entry.request.method === 'GET'),
	json_token_request: (run) => run.of('token').filter((one) => /json/.test(requestHeaderOf(one, 'content-type') ?? '')),
	token_scheme: (run) =>
		run
			.of('resource', 'userinfo')
			.filter(({ entry }) =>
				entry.request.headers.some(
					([name, value]) =>
						(/^authorization$/i.test(name) && /^token \[/i.test(value)) || /^x-.*access-token$/i.test(name)
				)
			),
	token_type: (run) => tokens(run).filter((one) => !/^(?:bearer|dpop)$/i.test(received(one, 'token_type') ?? '')),
	audience: (run) => run.of('authorization', 'token', 'par').filter((one) => sent(one, 'audience') !== undefined),
	user_scope: (run) => run.of('authorization').filter((one) => sent(one, 'user_scope') !== undefined),
	other_scopes: (run) =>
		run.flows.flatMap(({ authorization, tokens: own }) => {
			const asked = (authorization && sent(authorization, 'scope'))?.split(/[ ,+]+/) ?? [];
			return own.filter((one) => {
				const granted = received(one, 'scope')?.split(/[ ,]+/);
				return granted !== undefined && asked.length > 0 && asked.some((scope) => !granted.includes(scope));
			});
		}),
	no_iss: (run) =>
		run.of('callback').filter((one) => sent(one, 'code') !== undefined && sent(one, 'iss') === undefined),
	issuer_slash: withIssuerSlash,
	form_post: (run) => run.of('callback').filter(isPosted),
	error_in_page: (run) =>
		run.of('authorization', 'sign_in').filter(({ entry }) => /^\[page\].*\bshows /.test(entry.response?.body ?? ''))
};

/** The differences of the provider of a file, with one row for each kind of rate limit headers. */
export function dialectFindings(run: ForeignRun): ForeignFinding[] {
	const found = Object.entries(rows).flatMap(([name, find]) => {
		const [id, exchanges] = [`dialect.${name}`, find(run)];
		const { text = '' } = wordsOf(id);
		return exchanges.length === 0 ? [] : [findingOf('difference', id, exchanges, text, { basis: 'response' })];
	});
	const limited = run.all.flatMap((one) => {
		const limit = rateLimitIn(one.entry);
		return limit === undefined ? [] : [{ one, limit }];
	});
	const headers = [...new Set(limited.map(({ limit }) => limit.header.toLowerCase()))];
	const limits = headers.map((name) => {
		const same = limited.filter(({ limit }) => limit.header.toLowerCase() === name);
		const [first] = same;
		const left = same.flatMap(({ limit }) => limit.remaining ?? []);
		const most = first?.limit.limit === undefined ? '' : ` of ${first.limit.limit.toLocaleString('en')}`;
		const text =
			left.length === 0
				? `The provider names the time to wait in ${first?.limit.header ?? name}.`
				: `${Math.min(...left).toLocaleString('en')}${most} calls were left, by ${first?.limit.header ?? name}. No standard has this header${name === 'ratelimit' ? ' yet' : ''}.`;
		const more = { title: `Rate limit by ${first?.limit.header ?? name}`, basis: 'response' } as const;
		const exchanges = same.map(({ one }) => one);
		return {
			...findingOf('difference', 'dialect.rate_limit', exchanges, text, more),
			id: `dialect.rate_limit.${name}`
		};
	});
	return [...found, ...limits];
}
