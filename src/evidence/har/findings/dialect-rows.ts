import type { ForeignExchange, ForeignFinding } from '../har-reading.ts';
import { findingOf, isOk, received, requestHeaderOf, sent, type ForeignRun } from './foreign-run.ts';
import { rateLimitIn } from './rate-limits.ts';

/** A difference between a provider and the standards. No client is wrong. */
type DialectRow = {
	readonly id: string;
	readonly title: string;
	readonly text: string;
	readonly sections: readonly string[];
	readonly in: (run: ForeignRun) => readonly ForeignExchange[];
};

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

const rows: readonly DialectRow[] = [
	{
		id: 'dialect.comma_scopes',
		title: 'Scopes are separated by commas',
		text: 'RFC 6749 separates scopes by spaces. Split the scope of this provider at commas too.',
		sections: ['RFC 6749 §3.3'],
		in: (run) =>
			run.all.filter(
				(one) =>
					/authorization|token|par/.test(one.role) &&
					(hasComma(sent(one, 'scope')) || hasComma(received(one, 'scope')) || hasComma(sent(one, 'user_scope')))
			)
	},
	{
		id: 'dialect.expires',
		title: 'expires is in place of expires_in',
		text: 'The token response names its lifetime expires. Read both names.',
		sections: ['RFC 6749 §5.1'],
		in: (run) =>
			tokens(run).filter((one) => received(one, 'expires_in') === undefined && received(one, 'expires') !== undefined)
	},
	{
		id: 'dialect.no_expiry',
		title: 'The token response names no lifetime',
		text: 'The token may not expire, or the client learns it from a 401 only.',
		sections: ['RFC 6749 §5.1'],
		in: (run) =>
			tokens(run).filter((one) => received(one, 'expires_in') === undefined && received(one, 'expires') === undefined)
	},
	{
		id: 'dialect.text_expires_in',
		title: 'expires_in is a text',
		text: 'The standard says a number of seconds. Convert it before you add it.',
		sections: ['RFC 6749 §5.1'],
		in: (run) => tokens(run).filter(({ entry }) => /"expires_in":"\d/.test(entry.response?.body ?? ''))
	},
	{
		id: 'dialect.form_response',
		title: 'The token response is a form',
		text: 'The standard says JSON. Some providers send JSON only if the request has Accept: application/json.',
		sections: ['RFC 6749 §5.1'],
		in: (run) => tokens(run).filter(({ entry }) => !/^\s*\{/.test(entry.response?.body ?? '{'))
	},
	{
		id: 'dialect.error_with_200',
		title: 'Errors have status 200',
		text: 'The token endpoint says that it failed in the body only. Read error before you use the response.',
		sections: ['RFC 6749 §5.2'],
		in: (run) => run.of('token').filter((one) => isOk(one) && received(one, 'error') !== undefined)
	},
	{
		id: 'dialect.ok_field',
		title: 'Responses have a field ok',
		text: 'The provider adds ok to each response. Status and access_token are not enough.',
		sections: ['RFC 6749 §5.1'],
		in: (run) =>
			run.of('token', 'resource').filter(({ entry }) => /^\{"ok":(?:true|false)/.test(entry.response?.body ?? ''))
	},
	{
		id: 'dialect.no_response_type',
		title: 'The authorization request has no response_type',
		text: 'The standard requires it. This provider always returns a code.',
		sections: ['RFC 6749 §4.1.1'],
		in: (run) =>
			run
				.of('authorization')
				.filter(
					(one) =>
						['response_type', 'request_uri', 'request'].every((name) => sent(one, name) === undefined) && isOk(one)
				)
	},
	{
		id: 'dialect.no_grant_type',
		title: 'The token request has no grant_type',
		text: 'The standard requires it. This provider infers it from the code.',
		sections: ['RFC 6749 §4.1.3'],
		in: (run) => tokens(run).filter((one) => sent(one, 'grant_type') === undefined)
	},
	{
		id: 'dialect.token_by_get',
		title: 'The token request is a GET',
		text: 'The standard requires POST, because URLs are stored in logs.',
		sections: ['RFC 6749 §3.2'],
		in: (run) => run.of('token').filter(({ entry }) => entry.request.method === 'GET')
	},
	{
		id: 'dialect.json_token_request',
		title: 'The token request is JSON',
		text: 'The standard requires a form. Most libraries send a form only.',
		sections: ['RFC 6749 §4.1.3'],
		in: (run) => run.of('token').filter((one) => /json/.test(requestHeaderOf(one, 'content-type') ?? ''))
	},
	{
		id: 'dialect.token_scheme',
		title: 'Calls do not use the scheme Bearer',
		text: 'The provider has its own header or scheme for the access token.',
		sections: ['RFC 6750 §2.1'],
		in: (run) =>
			run
				.of('resource', 'userinfo')
				.filter(({ entry }) =>
					entry.request.headers.some(
						([name, value]) =>
							(/^authorization$/i.test(name) && /^token \[/i.test(value)) || /^x-.*access-token$/i.test(name)
					)
				)
	},
	{
		id: 'dialect.token_type',
		title: 'token_type is missing or not Bearer',
		text: 'The standard requires token_type. Send the token as the documentation of the provider says.',
		sections: ['RFC 6749 §7.1'],
		in: (run) => tokens(run).filter((one) => !/^(?:bearer|dpop)$/i.test(received(one, 'token_type') ?? ''))
	},
	{
		id: 'dialect.audience',
		title: 'audience names the resource',
		text: 'The standard calls the parameter resource (RFC 8707).',
		sections: ['RFC 8707 §2'],
		in: (run) => run.of('authorization', 'token', 'par').filter((one) => sent(one, 'audience') !== undefined)
	},
	{
		id: 'dialect.user_scope',
		title: 'user_scope is beside scope',
		text: 'The provider issues separate tokens for the application and the user.',
		sections: ['RFC 6749 §3.3'],
		in: (run) => run.of('authorization').filter((one) => sent(one, 'user_scope') !== undefined)
	},
	{
		id: 'dialect.other_scopes',
		title: 'The granted scopes differ from the requested ones',
		text: 'The user or the provider granted other scopes. Read scope of the token response.',
		sections: ['RFC 6749 §5.1'],
		in: (run) =>
			run.flows.flatMap(({ authorization, tokens: own }) => {
				const asked = (authorization && sent(authorization, 'scope'))?.split(/[ ,+]+/) ?? [];
				return own.filter((one) => {
					const granted = received(one, 'scope')?.split(/[ ,]+/);
					return granted !== undefined && asked.length > 0 && asked.some((scope) => !granted.includes(scope));
				});
			})
	},
	{
		id: 'dialect.no_iss',
		title: 'The callback has no iss',
		text: 'The parameter is optional (RFC 9207). A client of several providers needs it against mix-up attacks.',
		sections: ['RFC 9207 §2'],
		in: (run) => run.of('callback').filter((one) => sent(one, 'code') !== undefined && sent(one, 'iss') === undefined)
	},
	{
		id: 'dialect.issuer_slash',
		title: 'The issuer has a slash at its end in one place only',
		text: 'Issuers are compared as texts, so a client that computes one rejects the other. Take the issuer from the metadata.',
		sections: ['RFC 8414 §3.3'],
		in: withIssuerSlash
	},
	{
		id: 'dialect.form_post',
		title: 'The authorization response is posted',
		text: 'A form of another site posts it, so cookies of the session need SameSite=None.',
		sections: ['OAuth 2.0 Form Post Response Mode §2'],
		in: (run) => run.of('callback').filter(({ entry }) => /(?:^|&)(?:code|id_token|error)=/.test(entry.request.body))
	},
	{
		id: 'dialect.error_in_page',
		title: 'Errors are in a page',
		text: 'The provider shows this error to the user, and does not redirect. The application never learns it.',
		sections: ['RFC 6749 §4.1.2.1'],
		in: (run) =>
			run.of('authorization', 'sign_in').filter(({ entry }) => /^\[page\].*\bnames /.test(entry.response?.body ?? ''))
	}
];

/** The differences of the provider of a file, with one row for each kind of rate limit headers. */
export function dialectFindings(run: ForeignRun): ForeignFinding[] {
	const found = rows.flatMap(({ in: find, ...row }) => {
		const exchanges = find(run);
		return exchanges.length === 0 ? [] : [findingOf('difference', exchanges, { ...row, basis: 'response' })];
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
		return findingOf(
			'difference',
			same.map(({ one }) => one),
			{
				id: `dialect.rate_limit.${name}`,
				title: `Rate limit by ${first?.limit.header ?? name}`,
				text,
				basis: 'response'
			}
		);
	});
	return [...found, ...limits];
}
