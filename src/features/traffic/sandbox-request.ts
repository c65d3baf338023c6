import type { DialectName } from '#api/dialect.ts';
import type { ForeignExchange, ForeignFinding } from '#evidence/har/har-reading.ts';
import type { BuilderStart } from '../request-builder/builder-link.ts';
import { loadProviderFile } from '../providers/provider-files.ts';
import { mistakesAt } from '../request-builder/provider-requests.ts';
import { mistakesOf } from '../request-builder/mistakes/mistakes.ts';

const authorization = (mistake: string): BuilderStart => ({ kind: 'authorization', mistake });
const exchange = (mistake: string): BuilderStart => ({ kind: 'exchange', mistake });
const character = (mistake: string): BuilderStart => ({ kind: 'character', mistake });

/** The mistakes of the request builder that are those of a finding. All other findings have none. */
const starts: Readonly<Record<string, BuilderStart>> = {
	'cause.redirect_uri': authorization('redirect_slash'),
	'cause.redirect_scheme': authorization('redirect_scheme'),
	'cause.client at authorization': authorization('unknown_client'),
	'cause.scope at authorization': authorization('unknown_scope'),
	'cause.redirect_uri_token': exchange('other_redirect_uri'),
	'exchange.redirect_uri_same': exchange('other_redirect_uri'),
	'cause.pkce': exchange('wrong_verifier'),
	'file.verifier': exchange('wrong_verifier'),
	'cause.pkce without verifier': exchange('missing_verifier'),
	'cause.client at token': exchange('secret_of_other'),
	'cause.code_used': exchange('code_twice'),
	'exchange.once': exchange('code_twice'),
	'exchange.in_body': exchange('method_get'),
	'file.pkce': authorization('plain_challenge'),
	'file.response_type': authorization('response_type_token'),
	'file.renewed': character('expired_token'),
	'cause.no_token': character('missing_token'),
	'call.header': character('token_in_query')
};

/** The dialect of the client of a file: that of the specification has its own scheme and parameter. */
export function dialectOf(exchanges: readonly ForeignExchange[]): DialectName {
	const isOwn = exchanges.some(
		({ entry: { request } }) =>
			request.target.includes('renew_previously_granted=') ||
			request.headers.some(([name, value]) => name.toLowerCase() === 'authorization' && value.startsWith('OAuth '))
	);
	return isOwn ? 'specification' : 'standard';
}

/** A request of the builder, and what the sandbox speaks in which it is opened. */
export type Trial = BuilderStart & { readonly speaks: string };

/**
 * The request with the mistake of a finding, at the simulated provider of the file if it has one.
 * @returns undefined if there is none, or the provider accepts the mistake
 */
export async function trialFor(finding: Cited, exchanges: readonly ForeignExchange[]): Promise<Trial | undefined> {
	const start = requestFor(finding, exchanges);
	if (start === undefined) return undefined;
	const { providerOfHosts } = await import('#evidence/har/providers/provider-forms.ts');
	const speaks = providerOfHosts(exchanges.filter(({ to }) => to !== 'application').map(({ host }) => host));
	if (speaks === undefined) return { ...start, speaks: dialectOf(exchanges) };
	const { dialect } = await loadProviderFile(speaks);
	return mistakesAt(dialect).includes(start.mistake) ? { ...start, speaks } : undefined;
}

type Cited = Pick<ForeignFinding, 'id' | 'exchanges' | 'text'>;

/** The request of the builder that has the mistake of a finding, in the dialect of its file. Undefined if there is none. */
export function requestFor(
	{ id, exchanges: ids, text }: Cited,
	exchanges: readonly ForeignExchange[]
): BuilderStart | undefined {
	const isAtToken = exchanges.some(({ entry, role }) => role === 'token' && ids.includes(entry.id));
	const detail = /no code_verifier/.test(text)
		? `${id} without verifier`
		: `${id} at ${isAtToken ? 'token' : 'authorization'}`;
	const start = starts[detail] ?? starts[id];
	const known = start === undefined ? [] : mistakesOf(start.kind, dialectOf(exchanges));
	return known.some((one) => one.id === start?.mistake) ? start : undefined;
}
