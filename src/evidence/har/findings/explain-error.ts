import type { ExchangeError } from '../describe-exchange.ts';
import { documentedCause } from '../providers/provider-errors.ts';

/** Where an error was sent from. */
export type ErrorPlace = 'authorization' | 'token';

/** Words about a redirect URI. They are the most telling of all. */
const redirectWords =
	/redirect(?:ion)?[ _-]?ur[il]|redirect.{0,20}(?:mismatch|address)|invalid redirect|(?:callback|reply|return)[ _-]?(?:ur[il]|address)|domain of this url/;

/** A sentence that lists what an error can mean, such as those of RFC 6749. It says nothing about this one. */
const listing = /[^.]*(?:,[^.,]*,[^.]* or |\w\/[\w ]+\/\w)[^.]*(?:\.|$)/g;

/** What the words of an error are about, by place: the first that fits counts. Without a place, a topic says nothing there. */
const topics: readonly (readonly [words: RegExp, causes: Partial<Record<ErrorPlace, string>>])[] = [
	[
		/code[ _-]?challenge.{0,30}(?:required|missing|must)|(?:missing|requires?).{0,30}(?:code[ _-]?challenge|pkce)|pkce (?:is )?required/,
		{ authorization: 'cause.pkce_required', token: 'cause.pkce' }
	],
	[/code[ _-]?verifier|code[ _-]?challenge|\bpkce\b/, { authorization: 'cause.pkce_required', token: 'cause.pkce' }],
	[/single-page application/, { token: 'cause.spa' }],
	[
		/client[ _]secret|client credentials|client authentication|authorization header|(?:unknown|invalid|no such) client|client(?:[ _]id)? (?:was |is )?(?:not found|unknown|invalid|not valid|deleted|disabled)|client does not exist|application with identifier/,
		{ authorization: 'cause.client', token: 'cause.client' }
	],
	[/(?:\b|_)scopes?\b/, { authorization: 'cause.scope', token: 'cause.scope' }],
	[/\bservice not found\b|\b(?:invalid|unknown) (?:audience|resource)\b/, { authorization: 'cause.request' }],
	[/too many|rate.?limit|rate exceeded|throttl/, { authorization: 'cause.rate_limit', token: 'cause.rate_limit' }],
	[
		/multi-?factor|two-?factor|\bmfa\b|invalid_rapt/,
		{ authorization: 'cause.interaction', token: 'cause.interaction' }
	],
	[
		/response[ _]type|grant[ _]type|not (?:allowed|authorized|permitted) to use .{0,40}\b(?:grant|flow)\b|\b(?:grant|flow) is (?:disabled|not (?:allowed|enabled|permitted|supported))/,
		{ authorization: 'cause.grant_type', token: 'cause.grant_type' }
	],
	[/consent/, { authorization: 'cause.consent', token: 'cause.consent' }],
	[
		/\b(?:user|account) (?:is |was |has been )?(?:disabled|inactive|locked|suspended|blocked|deactivated|deleted)\b|\b(?:inactive|disabled|locked|suspended|deleted) (?:user|account)\b|\bip (?:address )?(?:is )?restricted|\brestricted ip\b/,
		{ authorization: 'cause.account', token: 'cause.account' }
	],
	[
		/(?:denied|declined|cancell?ed|rejected) by|user (?:has )?(?:denied|declined|cancell?ed)/,
		{ authorization: 'cause.denied' }
	],
	[
		/auth(?:orization)?[ _]code|verification code|refresh[ _]token|\bcode\b.{0,40}(?:used|redeemed|expired|invalid|not found|incorrect)/,
		{ token: 'cause.grant' }
	],
	[
		/not logged in|not signed in|log[ -]?in required|no (?:active )?session|cookies?\b/,
		{ authorization: 'cause.session' }
	],
	[
		/(?:session|page|login|action|sign-?in|flow token) (?:has |is )?expired/,
		{ authorization: 'cause.sign_in_expired' }
	],
	[
		/not (?:assigned|a member|allowed|permitted)|does not exist in tenant|blocked|restricted|administrator|\bpolic(?:y|ies)\b|verify your e-?mail|e-?mail .{0,20}not (?:been )?verified/,
		{ authorization: 'cause.account' }
	],
	[
		/must contain the following parameter|(?:required|mandatory) (?:field|parameter)|(?:field|parameter) (?:is )?(?:missing|required)|missing (?:field|parameter)/,
		{ authorization: 'cause.request', token: 'cause.request' }
	]
];

/** Codes that name one thing, whatever the words beside them. Undefined: it is part of a sign-in that works. */
const specific: readonly (readonly [codes: RegExp, cause: string | undefined])[] = [
	[/^(?:use_dpop_nonce|authorization_pending|slow_down)$/, undefined],
	[/scope/, 'cause.scope'],
	[/^invalid_client/, 'cause.client'],
	[/^consent_required$/, 'cause.consent'],
	[/^login_required$/, 'cause.session'],
	[/^(?:too_many_requests|rate_?limit\w*)$/, 'cause.rate_limit']
];

/** What the standards say of codes that have no helpful words beside them. No user is at a token endpoint. */
const general: readonly (readonly [codes: RegExp, causes: Partial<Record<ErrorPlace, string>>])[] = [
	[/^(?:invalid_grant|(?:bad|invalid)_refresh_token|code_already_used)$/, { token: 'cause.grant' }],
	[/^(?:access_denied|user_denied|user_cancell?ed)/, { authorization: 'cause.denied' }],
	[
		/^(?:interaction_required|account_selection_required)$/,
		{ authorization: 'cause.consent', token: 'cause.interaction' }
	],
	[/^(?:unauthorized_client|unsupported_)/, { authorization: 'cause.grant_type', token: 'cause.grant_type' }],
	[
		/^(?:temporarily_unavailable|server_error)$/,
		{ authorization: 'cause.provider_failed', token: 'cause.provider_failed' }
	]
];

/**
 * The cause that the support of a provider would name: what it documents for the error, then the words beside the code, then the code.
 * @returns the id of a cause, `works` for an error of a sign-in that works, undefined where nothing helps
 */
export function explainError({ names, text }: ExchangeError, place: ErrorPlace, status: number): string | undefined {
	const documented = documentedCause(names);
	if (documented !== undefined)
		return place === 'token' && documented === 'cause.redirect_uri' ? 'cause.redirect_uri_token' : documented;
	const codes = names.map((name) => name.toLowerCase());
	const said = text.toLowerCase().replaceAll(listing, '');
	const words = `${codes.join(' ').replaceAll('_', ' ')} ${said}`;
	if (redirectWords.test(words)) return place === 'token' ? 'cause.redirect_uri_token' : 'cause.redirect_uri';
	const exact = specific.find(([pattern]) => codes.some((code) => pattern.test(code)));
	if (exact !== undefined) return exact[1] ?? 'works';
	const topic = topics.find(([pattern, causes]) => causes[place] !== undefined && pattern.test(said));
	if (topic !== undefined) return topic[1][place];
	// RFC 6749, section 5.2: at a token endpoint, 401 means that the client is not authenticated.
	if (place === 'token' && status === 401 && !codes.includes('invalid_grant')) return 'cause.client';
	const found = general.find(
		([pattern, causes]) => causes[place] !== undefined && codes.some((code) => pattern.test(code))
	);
	if (found !== undefined) return found[1][place];
	return codes.includes('invalid_request') && text === '' ? 'cause.request' : undefined;
}
