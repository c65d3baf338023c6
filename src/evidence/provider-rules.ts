import type { DialectData } from '#api/providers/dialect-schema.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import type { DialectName } from '#api/dialect.ts';
import type { Finding } from '#api/exam.ts';
import { allRules } from './all-rules.ts';
import { notShown } from './judge.ts';
import type { Rule } from './rule.ts';

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
function providerReason(rule: string, { short, dialect }: JudgedProvider): string | undefined {
	const missing = requirementsOf(rule).find(({ isMet }) => !isMet(dialect));
	return missing && `${short} ${missing.otherwise}.`;
}

/** Whether the file of a provider decides if a rule applies. */
function isDecidedByProvider(rule: string): boolean {
	return requirementsOf(rule).length > 0;
}

function requirementsOf(rule: string): Requirement[] {
	const fits = (pattern: string) => (pattern.endsWith('*') ? rule.startsWith(pattern.slice(0, -1)) : pattern === rule);
	return requirements.filter(({ rules }) => rules.some(fits));
}

/**
 * The rules of a dialect with its words and sections. Those that it leaves out judge nothing, and say why.
 * @param provider that extends the dialect, whose file leaves out others
 */
export function rulesIn(dialect: DialectName, provider?: JudgedProvider): readonly Rule[] {
	const rules = allRules.filter(({ dialect: only = dialect }) => only === dialect);
	return dialect === 'standard' ? rules.map((rule) => inStandard(rule, provider)) : rules;
}

/** Why a dialect or a provider leaves a rule out, in one sentence. Undefined: it applies. */
export function leftOutReason(rule: Rule, dialect: DialectName, provider?: JudgedProvider): string | undefined {
	if (provider !== undefined && isDecidedByProvider(rule.id)) return providerReason(rule.id, provider);
	return dialect === 'standard' ? rule.standard?.leftOut : undefined;
}

const leftOutStart = 'Left out. ';

/** Whether a finding says that its rule was left out. */
export function isLeftOut({ verdict, text }: Pick<Finding, 'verdict' | 'text'>): boolean {
	return verdict === 'not_shown' && text.startsWith(leftOutStart);
}

function inStandard(rule: Rule, provider: JudgedProvider | undefined): Rule {
	const reason = leftOutReason(rule, 'standard', provider);
	if (reason === undefined) return { ...rule, ...rule.standard };
	return { ...rule, sections: [], judge: () => ({ ...notShown, text: `${leftOutStart}${reason}` }) };
}
