import type { DialectData } from '#api/providers/dialect-schema.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';

/** A provider whose clients are judged: how a sentence names it, and what its file says. */
export type JudgedProvider = { readonly short: string; readonly dialect: DialectData };

/** What a provider must have so that rules can judge its clients. */
type Requirement = {
	/** Ids of rules, or areas such as `device.*`. */
	readonly rules: readonly string[];
	readonly isMet: (dialect: DialectData) => boolean;
	/** Follows the name of the provider. */
	readonly otherwise: string;
};

const refreshRules = [
	'token.refresh_when_due',
	'token.one_refresh',
	'token.keep_refresh_token',
	'token.keep_at_second_sign_in',
	'token.refresh_at_expiry',
	'token.notice_early_end',
	'token.stop_after_refresh',
	'token.forget_dead',
	'token.keep_on_failure',
	'token.lost_refresh',
	'token.scope_not_widened'
];
const limitRules = ['limit.stop_at_zero', 'limit.few_refused', 'limit.not_a_sign_out', 'limit.after_reset'];

const has =
	(kind: EndpointKind) =>
	({ endpoints = [] }: DialectData) =>
		endpoints.some((one) => one.kind === kind);

const requirements: readonly Requirement[] = [
	{
		rules: refreshRules,
		isMet: ({ refreshFor }) => refreshFor !== 'never',
		otherwise: 'issues no refresh token'
	},
	{
		rules: ['token.keep_at_second_sign_in'],
		isMet: ({ refreshFor }) => refreshFor === 'first_offline' || refreshFor === 'offline_consent',
		otherwise: 'issues a refresh token at each sign-in that asks for one'
	},
	{ rules: ['signout.revoke'], isMet: has('revoke'), otherwise: 'has no revocation in its file' },
	{ rules: ['callback.issuer'], isMet: ({ iss }) => iss, otherwise: 'does not name its issuer in responses' },
	{
		rules: ['request.metadata_issuer', 'exchange.issuer_credentials', 'exchange.resource_same'],
		isMet: has('metadata'),
		otherwise: 'has no metadata in its file'
	},
	{
		rules: ['request.nonce_fresh'],
		isMet: ({ scopes }) => scopes === undefined || scopes.known.includes('openid'),
		otherwise: 'issues no ID token'
	},
	{
		rules: ['exchange.extra_fields'],
		isMet: ({ tokenResponse }) => tokenResponse?.body === undefined,
		otherwise: 'returns the fields of its file only'
	},
	{ rules: ['device.*'], isMet: has('device'), otherwise: 'has no sign-in of devices in its file' },
	{
		rules: ['dpop.*'],
		isMet: ({ schemes }) => schemes.includes('DPoP'),
		otherwise: 'does not bind tokens to keys'
	},
	{ rules: limitRules, isMet: ({ rateLimit }) => rateLimit !== undefined, otherwise: 'has no rate limit in its file' },
	{
		rules: ['call.name_encoded'],
		isMet: ({ endpoints = [] }) => endpoints.some(({ kind, url }) => kind === 'api' && url.includes('{')),
		otherwise: 'has no names in the paths of its API'
	}
];

/** Why no client of a provider can show a rule, in one sentence. Undefined: its file has what the rule needs. */
export function providerReason(rule: string, { short, dialect }: JudgedProvider): string | undefined {
	const missing = requirementsOf(rule).find(({ isMet }) => !isMet(dialect));
	return missing && `${short} ${missing.otherwise}.`;
}

/** Whether the file of a provider decides if a rule applies. */
export function isDecidedByProvider(rule: string): boolean {
	return requirementsOf(rule).length > 0;
}

function requirementsOf(rule: string): Requirement[] {
	const fits = (pattern: string) => (pattern.endsWith('*') ? rule.startsWith(pattern.slice(0, -1)) : pattern === rule);
	return requirements.filter(({ rules }) => rules.some(fits));
}
