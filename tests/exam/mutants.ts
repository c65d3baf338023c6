import { allRules } from '#evidence/all-rules.ts';
import { leftOutReason } from '#evidence/provider-rules.ts';
import type { Habit } from './habits.ts';
import type { Mistake } from './mistakes.ts';

/** A wrong client: the reference client with its mistakes, and what the exam must find. */
export type Mutant = {
	/** The rule that fails, or that must not pass because no traffic can show it. */
	readonly rule: string;
	readonly mistakes: readonly Mistake[];
	/** What is unusual about it, but right. */
	readonly habits?: readonly Habit[];
	/** Default: `web`. */
	readonly kind?: 'web' | 'installed';
	/** Default: `failed`. */
	readonly verdict?: 'failed' | 'advice' | 'not_shown';
	/** Rules that may fail with it, because the same mistake shows there too. `callback.*` names a group. */
	readonly followers?: readonly string[];
};

const refreshRules = ['token.refresh_at_expiry', 'token.notice_early_end'];
const withoutRefresh = [...refreshRules, 'token.keep_at_second_sign_in'];

/** At least one for each rule. */
export const mutants: readonly Mutant[] = [
	{ rule: 'request.protected', mistakes: ['no state', 'no challenge'], followers: ['callback.*'] },
	{
		rule: 'request.state_fresh',
		mistakes: ['constant state', 'no challenge'],
		followers: ['callback.state_of_browser', 'callback.state_once']
	},
	{ rule: 'request.state_random', mistakes: ['clock as state', 'no challenge'] },
	{ rule: 'request.state_private', mistakes: ['state with a URL'] },
	{ rule: 'request.state_not_verifier', mistakes: ['verifier as state'] },
	{ rule: 'request.challenge_fresh', mistakes: ['constant verifier'] },
	{ rule: 'request.challenge_fresh', mistakes: ['one verifier for a browser'] },
	{
		rule: 'request.state_fresh',
		mistakes: ['one state for a browser', 'no challenge'],
		followers: ['callback.state_once']
	},
	{ rule: 'request.scope_needed', mistakes: ['asks for writing'], verdict: 'advice' },
	{ rule: 'request.redirect_uri_exact', mistakes: ['slash behind the redirect URI'] },
	{ rule: 'request.no_secret', mistakes: ['secret in the authorization URL'] },
	{ rule: 'request.navigated', mistakes: ['script opens the sign-in page'] },
	{ rule: 'callback.foreign_code', mistakes: ['state is not compared', 'no challenge'], followers: ['callback.*'] },
	{ rule: 'callback.state_required', mistakes: ['nothing equals nothing', 'no challenge'] },
	{ rule: 'callback.state_of_browser', mistakes: ['states of all browsers'] },
	{ rule: 'callback.state_once', mistakes: ['state stays valid'] },
	{ rule: 'callback.denial', mistakes: ['reads the code only'] },
	{ rule: 'callback.extra_parameters', mistakes: ['list of allowed parameters'] },
	{ rule: 'callback.hard_code', mistakes: ['decodes the code twice'] },
	{ rule: 'callback.hard_code', mistakes: ['plus in a code is a space'] },
	{ rule: 'callback.error_escaped', mistakes: ['error text as HTML'] },
	{ rule: 'exchange.once', mistakes: ['sends the code twice'] },
	{ rule: 'exchange.redirect_uri_same', mistakes: ['slash in the exchange'] },
	{ rule: 'exchange.form', mistakes: ['JSON in place of a form'] },
	{ rule: 'exchange.secret_on_server', mistakes: ['page sends the secret'] },
	{ rule: 'exchange.secret_on_server', mistakes: ['secret in a page'] },
	{ rule: 'exchange.in_body', mistakes: ['secret in the token URL'] },
	{ rule: 'exchange.real_values', mistakes: ['text of nothing'] },
	{ rule: 'exchange.one_try', mistakes: ['repeats a lost exchange'] },
	{ rule: 'exchange.extra_fields', mistakes: ['strict token response'] },
	{ rule: 'exchange.status', mistakes: ['ignores the status'] },
	{ rule: 'token.refresh_when_due', mistakes: ['refreshes before every call'] },
	{ rule: 'token.refresh_when_due', mistakes: ['margin of 600 s'] },
	{ rule: 'token.one_refresh', mistakes: ['refreshes without a lock'] },
	{ rule: 'token.one_refresh', mistakes: ['forgets the new access token'] },
	{ rule: 'token.keep_refresh_token', mistakes: ['forgets the refresh token'] },
	{
		rule: 'token.keep_at_second_sign_in',
		mistakes: ['forgets it at the second sign-in'],
		followers: refreshRules
	},
	{ rule: 'token.refresh_at_expiry', mistakes: ['never refreshes'], followers: withoutRefresh },
	{ rule: 'token.notice_early_end', mistakes: ['never refreshes'], followers: withoutRefresh },
	{ rule: 'token.stop_after_refresh', mistakes: ['refreshes again at each 401'] },
	{ rule: 'token.forget_dead', mistakes: ['keeps a dead refresh token'] },
	{ rule: 'token.keep_on_failure', mistakes: ['signs out at each failure'] },
	{ rule: 'token.lost_refresh', mistakes: ['repeats a lost refresh without an end'], followers: ['limit.back_off'] },
	{ rule: 'token.scope_not_widened', mistakes: ['widens the scope'] },
	{ rule: 'call.header', mistakes: ['token in the URL'] },
	{ rule: 'call.name_encoded', mistakes: ['encodes names twice'] },
	{ rule: 'call.missing_permission', mistakes: ['refreshes at 403'] },
	{ rule: 'call.missing_permission', mistakes: ['deletes tokens at 403'] },
	{ rule: 'call.missing_permission', mistakes: ['repeats calls at 403'] },
	{ rule: 'token.stop_after_refresh', mistakes: ['repeats calls at 401'] },
	{ rule: 'call.own_user', mistakes: ['one refresh token for all users'], followers: ['token.keep_refresh_token'] },
	{ rule: 'call.own_user', mistakes: ['keeps the first tokens of a browser'] },
	{ rule: 'call.own_user', mistakes: ['one token for all users'], followers: ['signout.*', 'token.forget_dead'] },
	// The token response does not say who signed in.
	{ rule: 'token.own_user', mistakes: [], verdict: 'advice' },
	{ rule: 'call.right_credential', mistakes: ['calls with the refresh token'] },
	{ rule: 'call.no_secret', mistakes: ['secret in the URL of a call'] },
	{ rule: 'limit.stop_at_zero', mistakes: ['ignores the limit'], followers: ['limit.few_refused'] },
	{
		rule: 'limit.few_refused',
		mistakes: ['ignores the limit', 'repeats rejected calls'],
		followers: ['limit.stop_at_zero']
	},
	{ rule: 'limit.not_a_sign_out', mistakes: ['refreshes at the limit'] },
	{ rule: 'limit.after_reset', mistakes: ['waits two seconds at the limit'] },
	{ rule: 'limit.cache', mistakes: ['no cache'], verdict: 'advice' },
	{ rule: 'limit.back_off', mistakes: ['repeats without a pause'] },
	{ rule: 'limit.stop_when_blacklisted', mistakes: ['repeats without a response'] },
	{ rule: 'signout.revoke', mistakes: ['does not revoke'] },
	{ rule: 'signout.no_use_after', mistakes: ['calls after the revocation'] },
	{ rule: 'installed.pkce', mistakes: ['no challenge'], kind: 'installed' }
];

/** Clients whose verifier follows the state of an attacker, so that PKCE stops nothing. */
const attackMutants: readonly Mutant[] = [
	{ rule: 'callback.state_of_browser', mistakes: ['states of all browsers', 'no challenge'] },
	{
		rule: 'callback.state_of_browser',
		mistakes: ['states of all browsers, kept'],
		followers: ['callback.state_once']
	},
	{
		rule: 'callback.state_of_browser',
		mistakes: ['verifier by the state, which is not compared'],
		followers: ['callback.*']
	},
	{ rule: 'callback.state_once', mistakes: ['state stays valid', 'no challenge'] }
];

const errorTextMutants: readonly Mutant[] = (
	[
		'error text in an attribute',
		'error text in an attribute with quotes',
		'error text in an attribute without quotes',
		'error text in a script of JSON',
		'error text in a string of a script',
		'error text between apostrophes of a script',
		'error text in an event handler',
		'error text in a text field',
		'error text in a comment',
		'error text in the title',
		'error text in noscript',
		'error text in a style',
		'error text as a link',
		'error code as HTML',
		'error address as a link',
		'error text outside of a string',
		'error text for innerHTML',
		'error text in a template of a script',
		'error text in JSON of a page',
		'state as HTML'
	] as const
).map((mistake) => ({ rule: 'callback.error_escaped', mistakes: [mistake] }));

/** Further mistakes, of which some cannot be shown: then their rule must not pass. */
export const furtherMutants: readonly Mutant[] = [
	{ rule: 'callback.foreign_code', mistakes: ['compares eight characters of the state', 'no challenge'] },
	{
		rule: 'callback.state_required',
		mistakes: ['compares the start of the state', 'no challenge'],
		followers: ['callback.foreign_code']
	},
	{ rule: 'callback.foreign_code', mistakes: ['takes any start of the state', 'no challenge'] },
	{
		rule: 'callback.foreign_code',
		mistakes: ['compares the length of the state', 'no challenge'],
		followers: ['callback.*']
	},
	{ rule: 'callback.foreign_code', mistakes: ['compares the end of the state', 'no challenge'] },
	{ rule: 'callback.foreign_code', mistakes: ['compares the state without its case', 'no challenge'] },
	{ rule: 'callback.state_required', mistakes: ['takes an empty state', 'no challenge'] },
	{
		rule: 'callback.state_of_browser',
		mistakes: ['one sign-in for all browsers'],
		followers: ['callback.state_once']
	},
	...attackMutants,
	{
		rule: 'callback.foreign_code',
		mistakes: ['callback without a sign-in', 'no challenge'],
		followers: ['callback.*']
	},
	{ rule: 'callback.denial', mistakes: ['starts again at a denial'] },
	...errorTextMutants,
	{ rule: 'token.refresh_when_due', mistakes: ['lifetime in milliseconds'] },
	{ rule: 'token.refresh_when_due', mistakes: ['refreshes after every call'] },
	{ rule: 'token.refresh_when_due', mistakes: ['refreshes at 404'] },
	{ rule: 'token.refresh_when_due', mistakes: ['refreshes at 503'] },
	{ rule: 'token.refresh_when_due', mistakes: ['refreshes at 503'], habits: ['four retries with growing pauses'] },
	{ rule: 'exchange.in_body', mistakes: ['refreshes by GET'], followers: withoutRefresh },
	{ rule: 'call.missing_permission', mistakes: ['signs in again at 403'] },
	{
		rule: 'call.missing_permission',
		mistakes: ['refreshes at every error'],
		verdict: 'not_shown',
		followers: ['token.*', 'limit.*']
	},
	{ rule: 'call.header', mistakes: ['token in a parameter for logs'] },
	{ rule: 'call.header', mistakes: ['token in the URL of the limits'] },
	{ rule: 'signout.revoke', mistakes: ['revokes the access token only'] },
	{ rule: 'limit.after_reset', mistakes: ['waits half of the time at the limit'] },
	{ rule: 'limit.after_reset', mistakes: ['asks for the limits at the limit'] },
	{ rule: 'exchange.secret_on_server', mistakes: ['secret in JSON'] },
	{ rule: 'exchange.secret_on_server', mistakes: ['secret in a header'] },
	{ rule: 'exchange.secret_on_server', mistakes: ['secret in the address of a page'] },
	{ rule: 'call.no_secret', mistakes: ['secret in a header of a call'] },
	{ rule: 'call.no_secret', mistakes: ['secret as the key of a call'], verdict: 'not_shown' },
	{ rule: 'call.name_encoded', mistakes: ['encodes the percent sign twice'] },
	{ rule: 'call.name_encoded', mistakes: ['plus for a space'] },
	{ rule: 'limit.back_off', mistakes: ['repeats without an end'] },
	{ rule: 'limit.back_off', mistakes: ['repeats at once'] },
	{ rule: 'limit.back_off', mistakes: ['repeats with a fixed pause'] },
	{ rule: 'limit.back_off', mistakes: ['repeats a rejected refresh at once'] },
	{ rule: 'token.lost_refresh', mistakes: ['signs out at a lost refresh'] },
	{ rule: 'limit.not_a_sign_out', mistakes: ['forgets tokens at the limit'], verdict: 'not_shown' },
	{ rule: 'limit.after_reset', mistakes: ['reset as seconds from now'], verdict: 'not_shown' },
	{ rule: 'exchange.once', mistakes: ['code from the fragment'], verdict: 'not_shown' },
	// It keeps the refresh token at the second sign-in, as golang.org/x/oauth2 does.
	{
		rule: 'token.notice_early_end',
		mistakes: ['refreshes by its clock only'],
		followers: ['token.refresh_at_expiry']
	}
];

/** Clients that push their requests: the URL of the browser has neither the state nor the challenge. */
const pushingMutants: readonly Mutant[] = [
	...attackMutants.filter(({ mistakes }) => !mistakes.includes('no challenge')),
	{ rule: 'callback.state_of_browser', mistakes: ['one sign-in for all browsers'] as const },
	{ rule: 'callback.state_of_browser', mistakes: ['states of all browsers'] as const },
	{ rule: 'callback.state_once', mistakes: ['state stays valid'] as const },
	{ rule: 'request.state_private', mistakes: ['state with a URL'] as const }
].map((mutant) => ({ followers: ['callback.state_once'], ...mutant, habits: ['pushes its requests'] as const }));

/**
 * The wrong clients for the dialect of today's standards. PKCE is required there: a client that does not look at the state is protected
 * all the same, and gets advice.
 */
export const standardMutants: readonly Mutant[] = [
	{ rule: 'callback.issuer', mistakes: ['iss is not compared'], verdict: 'advice' },
	{ rule: 'callback.issuer', mistakes: ['iss may be missing'], verdict: 'advice' },
	{ rule: 'callback.issuer', mistakes: ['iss with a slash'], verdict: 'advice' },
	{ rule: 'token.keep_refresh_token', mistakes: ['keeps a replaced refresh token'] },
	{ rule: 'token.one_refresh', mistakes: ['refreshes in two processes'] },
	{ rule: 'signout.revoke', mistakes: ['revokes without its secret'] },
	{ rule: 'request.protected', mistakes: ['plain challenge'] },
	{ rule: 'installed.pkce', mistakes: ['plain challenge'], kind: 'installed' },
	{ rule: 'limit.after_reset', mistakes: ['Retry-After as seconds only'], followers: ['limit.stop_at_zero'] },
	{
		rule: 'callback.state_of_browser',
		mistakes: ['states of all browsers, verifier of this one'],
		verdict: 'advice'
	},
	...pushingMutants,
	...[...mutants, ...furtherMutants].flatMap(inStandard)
];

function inStandard(mutant: Mutant): Mutant[] {
	const { rule, mistakes } = mutant;
	const isLeftOut = allRules.some((one) => one.id === rule && leftOutReason(one, 'standard') !== undefined);
	// Each response has a refresh token.
	const needsOld = mistakes.some((mistake) => mistake === 'forgets the refresh token' || mistake === 'text of nothing');
	if (isLeftOut || needsOld || mistakes.length === 0) return [];
	const others = mistakes.filter((mistake) => mistake !== 'no challenge');
	const isAboutChallenge = rule === 'request.protected' || rule === 'installed.pkce';
	if (isAboutChallenge || others.length === mistakes.length) return [mutant];
	// The code of an attacker is for the sign-in whose state it comes with: its verifier matches.
	const isBound = rule !== 'callback.state_of_browser' && rule !== 'callback.state_once';
	return [{ ...mutant, mistakes: others, ...(isBound && { verdict: 'advice' }) }];
}
