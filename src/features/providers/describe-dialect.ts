import { countText } from '#lib/count-text.ts';
import type { DialectData, DialectPart, ProviderErrors } from '#api/providers/dialect-schema.ts';

/** One row of a comparison: what both dialects do. */
export type ComparedDialects = {
	readonly label: string;
	readonly one: string;
	readonly other: string;
	readonly differs: boolean;
};

type Describe = (dialect: DialectData) => string;

const grants = {
	first_offline: 'First consent, with access_type=offline',
	offline_consent: 'After each consent, with access_type=offline',
	scope: 'With a scope',
	always: 'Always',
	never: 'Never'
} as const;
const refreshes = {
	kept: 'The same one keeps working, and is not returned',
	rotated: 'A new one, and the old one ends',
	added: 'A new one, and the old one keeps working'
} as const;

/** What differs between dialects, in words. */
const rows: readonly (readonly [label: string, describe: Describe])[] = [
	['Token response', ({ tokenResponse: { form } = {} }) => forms[form ?? 'json']],
	['Fields of the token response', ({ tokenResponse: { body } = {} }) => namesOf(body) ?? 'Those of RFC 6749'],
	['A used code', ({ errors = {} }) => errorText(errors.token, 'token.code_not_used', 400, 'invalid_grant')],
	[
		'Fields of an error',
		({ errors: { token } = {} }) => (token?.body === '' ? 'No body' : (namesOf(token?.body) ?? 'Those of RFC 6749'))
	],
	['A wrong secret', ({ errors = {} }) => errorText(errors.token, 'token.client_authenticated', 401, 'invalid_client')],
	['Refresh token', ({ refreshFor, refreshScopes = [] }) => [grants[refreshFor], ...refreshScopes].join(' ')],
	['After a refresh', ({ refreshFor, refresh }) => (refreshFor === 'never' ? 'No refresh' : refreshes[refresh])],
	['Access token lives', ({ lifetimes }) => secondsText(lifetimes?.accessToken)],
	['Code lives', ({ lifetimes }) => secondsText(lifetimes?.code)],
	['Access token looks like', ({ tokens }) => tokenText(tokens?.access_token)],
	['Scopes are separated by', ({ scopes }) => (scopes?.separator === ',' ? 'Commas' : 'Spaces')],
	['An unknown scope', ({ scopes }) => (scopes?.unknown === 'ignored' ? 'Ignored' : 'Rejected')],
	['Redirect URI', ({ redirectUri }) => (redirectUri?.match === 'deeper' ? 'Path may be deeper' : 'Exactly equal')],
	['Client credentials', ({ authentication }) => authentication.map((method) => methods[method]).join(', ')],
	['PKCE', ({ pkce }) => (pkce === 'required' ? 'Required' : 'Optional')],
	['iss in the response', ({ iss }) => (iss ? 'Yes' : 'No')],
	['Scheme at the API', ({ schemes }) => schemes.join(', ')],
	[
		'API without a token',
		({ errors = {} }) => errorText(errors.api, 'access_token.sent_once missing_token', 401, 'invalid_token')
	],
	['User-Agent at the API', ({ userAgent }) => (userAgent === 'required' ? 'Required' : 'Not required')],
	['Over the limit', ({ rateLimit, limit }) => String(rateLimit?.status ?? limit.status)],
	[
		'Headers of the limit',
		({ rateLimit }) => Object.keys(rateLimit?.headers ?? {}).join(', ') || 'Those of the sandbox'
	],
	[
		'Revocation',
		({ revocation, revocationResponse, endpoints }) =>
			endpoints?.some(({ kind }) => kind === 'revoke') === false
				? 'Not simulated'
				: `${revocation}${revocationResponse?.ends === undefined ? '' : ', ends all'}`
	]
];

const forms = { json: 'JSON', form: 'Form', negotiated: 'Form. JSON with Accept: application/json' } as const;
const methods = { post: 'In the form', basic: 'HTTP Basic', none: 'None, for installed applications' } as const;

/** All rows of two dialects. */
export function compareDialects(one: DialectData, other: DialectData): ComparedDialects[] {
	return rows.map(([label, describe]) => {
		const [first, second] = [describe(one), describe(other)];
		return { label, one: first, other: second, differs: first !== second };
	});
}

/** The six facts of a provider. */
export function factsOf(dialect: DialectPart): readonly (readonly [label: string, value: string])[] {
	const { endpoints = [], scopes, lifetimes, rateLimit } = dialect;
	const urlOf = (kind: string) =>
		endpoints.find((one) => one.kind === kind)?.url.replace('https://', '') ?? 'Not simulated';
	return [
		['Authorize', urlOf('authorize')],
		['Token', urlOf('token')],
		['API', urlOf('api')],
		['Scopes', scopes?.known.slice(0, 4).join(' ') ?? 'Those of the sandbox'],
		['Lifetimes', `Access token ${secondsText(lifetimes?.accessToken)}`],
		[
			'Limit',
			rateLimit === undefined
				? 'Not simulated'
				: `${rateLimit.requests.toLocaleString('en')} in ${secondsText(rateLimit.window)}`
		]
	];
}

/** The hosts of a provider, each once. */
export function hostsOf({ endpoints = [] }: DialectPart): string[] {
	return [...new Set(endpoints.map(({ url }) => new URL(url.replaceAll(/[{}]/g, '')).host))];
}

/** The endpoints of a provider below a sandbox, one a line. */
export function urlsBelow(baseUrl: string, name: string, { endpoints = [] }: DialectPart): string {
	const pathOf = (url: string) => url.replace(/^https:\/\/[^/]*/, '');
	return endpoints.map(({ kind, url }) => `${kind.padEnd(9)}  ${baseUrl}/as/${name}${pathOf(url)}`).join('\n');
}

function errorText(errors: ProviderErrors | undefined, check: string, usual: number, code: string): string {
	const found = errors?.cases?.find(({ checks }) => checks.some((one) => one === check || check.startsWith(`${one} `)));
	return `${found?.status ?? errors?.status ?? usual} ${found?.error ?? code}`;
}

function secondsText(seconds: number | undefined): string {
	if (seconds === undefined) return 'as the sandbox is set';
	const [unit, length] = units.find(([, size]) => seconds % size === 0) ?? ['second', 1];
	return countText(seconds / length, unit, `${unit}s`);
}
const units = [
	['day', 86_400],
	['hour', 3600],
	['minute', 60],
	['second', 1]
] as const;

function tokenText({ prefix, length }: { readonly prefix?: string; readonly length?: number } = {}): string {
	if (prefix === undefined && length === undefined) return 'Random text';
	return [prefix && `${prefix}…`, length && `${length} characters`].filter(Boolean).join(', ');
}

function namesOf(body: unknown): string | undefined {
	return typeof body === 'object' && body !== null ? Object.keys(body).join(', ') : undefined;
}
