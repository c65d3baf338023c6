import * as v from 'valibot';
import { whole } from '#api/control/fields.ts';
import { about, line, listOf, optional, reference } from './texts.ts';
import { limitAlgorithmNames as algorithms } from '#api/limit-algorithm.ts';

/** The ids of the rules of the exam. The plugin of `src/content` reads them at the build: no text of a rule is loaded with them. */
const { '../all-rules.ts': ruleIds = [] } = import.meta.glob<readonly string[]>('../all-rules.ts', {
	eager: true,
	import: 'default',
	query: '?ids'
});

const earlier = (shares: string) => optional(reference, shares);

export const same = about(
	v.strictObject({
		flow: earlier('The sign-in.'),
		client: earlier('The application.'),
		address: earlier('The address that requests count for.'),
		grant: earlier('What the user allowed the application.'),
		family: earlier('All tokens of one code.'),
		token: earlier('A code or token, in any place of the messages.'),
		issued: earlier('A code or token that the earlier exchange issued.'),
		scope: earlier('The permissions of the token that the earlier exchange issued, which this one tried to exceed.'),
		key: earlier('The key that signed an assertion.'),
		ticket: earlier('A support ticket.')
	}),
	'What the exchange shares with the one that showed an earlier condition.',
	'The same as in an earlier condition'
);

const one = <const K extends string, E extends v.ObjectEntries>(kind: K, shownBy: string, entries: E) =>
	about(v.strictObject({ kind: v.literal(kind), ...entries, same: v.exactOptional(same) }), shownBy);

const name = (pattern: RegExp, example: string) => v.pipe(v.string(), v.regex(pattern, `Use ${example}.`));
/** Checks of the service. */
const checks = listOf(
	name(/^[a-z_]{1,40}\.[a-z_]{1,40}$/, 'the id of a check, such as token.code_verifier_matches'),
	5,
	'checks of a condition'
);
const passedChecks = optional(checks, 'Checks that it passed, all of them.');
const scopes = {
	min_scopes: optional(whole(1, 20), 'How many permissions it covers, at least.'),
	max_scopes: optional(whole(1, 20), 'How many permissions it covers, at most.')
};
const covers = optional(
	v.picklist(['less_than_granted', 'more_than_requested'], 'Use "less_than_granted" or "more_than_requested".'),
	'Whether it covers less than codes of this grant did before, or more than its request names.'
);
const redirect = optional(
	v.picklist(['localhost', 'out_of_band'], 'Use "localhost" or "out_of_band".'),
	'The redirect URI of an installed application: a port of localhost, or none.'
);
const limit = optional(whole(1, 100_000), 'The rate limit that the response names.');
const takes = optional(whole(0, 100_000), 'How many requests it took from the limit.');

const isOn = v.boolean('Use true or false.');
const endpoints = ['auth', 'token', 'revoke', 'character', 'ratelimits', 'ratelimiting', 'account'] as const;

/** Which rejection. At least one. */
const rejection = {
	error: optional(
		v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/, 'Use the error code of a response, such as invalid_grant.')),
		'The error code in the body, such as `invalid_grant`.'
	),
	status: optional(whole(300, 599), 'The status of the response.'),
	endpoint: optional(v.picklist(endpoints, `Use one of ${endpoints.join(', ')}.`), 'Where the request was sent.')
};

const kinds = [
	one('code_issued', 'An authorization code was issued.', {
		pkce: optional(isOn, 'With a code challenge, or without one.', 'PKCE'),
		asked: optional(isOn, 'Whether the user saw the consent page.'),
		scope: optional(
			v.pipe(v.string(), v.regex(/^[\w.:-]{1,64}$/, 'Use one permission.')),
			'A permission that the code covers.'
		),
		...scopes,
		covers,
		redirect
	}),
	one('consent_denied', 'The user denied access.', {}),
	one('code_exchanged', 'A code was exchanged for tokens: the user is signed in.', {
		pkce: optional(isOn, 'With a code verifier, or without one.', 'PKCE'),
		refresh_token: optional(isOn, 'Whether a refresh token came.'),
		access: optional(v.picklist(['online', 'offline'], 'Use "online" or "offline".'), 'What its sign-in asked for.'),
		...scopes,
		covers,
		redirect,
		passed: passedChecks
	}),
	one('code_replayed', 'A second exchange of a code ended its tokens.', {}),
	one('refresh_token_issued', 'A refresh token was issued.', {}),
	one('token_refreshed', 'A refresh succeeded.', {
		after_expiry: optional(isOn, 'Whether all access tokens of the sign-in had expired before.')
	}),
	one('token_request', 'A token request was sent, successful or not.', {
		grant: about(v.picklist(['code', 'refresh_token'], 'Use "code" or "refresh_token".'), 'What the request offers.'),
		pkce: optional(isOn, 'With a code verifier, or without one.', 'PKCE'),
		redirect
	}),
	one('token_issued', 'A token request of another kind got an access token.', {
		grant: about(
			v.picklist(
				['client_credentials', 'device_code', 'token_exchange'],
				'Use "client_credentials", "device_code" or "token_exchange".'
			),
			'What the request offers.'
		),
		passed: passedChecks,
		narrower: optional(isOn, 'Whether it has fewer permissions than the token that was exchanged.')
	}),
	one('device_allowed', 'The user allowed a device on the page for its code.', {}),
	one('token_rejected', 'An access token or a refresh token was rejected.', {
		token: optional(
			v.picklist(['access_token', 'refresh_token'], 'Use "access_token" or "refresh_token".'),
			'Which of the two.'
		),
		reason: optional(
			v.picklist(['revoked', 'unknown'], 'Use "revoked" or "unknown".'),
			'A revoked one was valid once, and has not only expired.'
		)
	}),
	one('access_revoked', 'Access was revoked.', {
		by: optional(
			v.picklist(['application', 'user'], 'Use "application" or "user".'),
			'By a request of the application, or on the account page.'
		)
	}),
	one('resource_read', 'A character or the rate limits were read.', {
		resource: optional(
			v.picklist(['character', 'ratelimits'], 'Use "character" or "ratelimits".'),
			'Which of the two.'
		),
		token_in: optional(v.picklist(['header', 'query'], 'Use "header" or "query".'), 'Where the token was.'),
		passed: passedChecks,
		limit,
		takes,
		remaining: optional(whole(0, 100_000), 'How many requests were left after it.'),
		elsewhere: optional(reference, 'It counts for another address than the one that showed this earlier condition.')
	}),
	one('requests_accepted', 'That many characters were read by one address in this step, one after the other.', {
		count: about(whole(1, 200), 'How many requests were accepted.'),
		rejected: optional(whole(0, 200), 'How many between them may be rejected. None without it.'),
		windows: optional(whole(1, 20), 'Over how many windows of the rate limit, at least.')
	}),
	one('limit_exceeded', 'A request was over the rate limit.', {
		resource: optional(
			v.picklist(['character', 'ratelimits'], 'Use "character" or "ratelimits".'),
			'Which of the two.'
		),
		limit,
		takes,
		has_left: optional(isOn, 'Whether requests were left.', 'Has requests left'),
		algorithm: optional(v.picklist(algorithms, `Use one of ${algorithms.join(', ')}.`), 'The algorithm that decided.')
	}),
	one('error_seen', 'A response had this error.', rejection),
	one(
		'error_overcome',
		'The same application succeeded at the endpoint where it got this error in the step.',
		rejection
	),
	one('check_passed', 'The service ran these checks, and each passed.', {
		checks,
		error: rejection.error
	}),
	one('check_failed', 'One of these checks rejected a request.', {
		checks,
		causes: optional(
			listOf(name(/^[a-z_]{1,40}$/, 'the cause of a check, such as wrong_verifier'), 6, 'causes of a check'),
			'Why, for a check that can fail for several reasons.'
		),
		endpoint: optional(v.picklist(endpoints, `Use one of ${endpoints.join(', ')}.`), 'Where the request was sent.'),
		sends: optional(
			listOf(name(/^[a-z_]{1,40}$/, 'the name of a parameter'), 5, 'parameters'),
			'Parameters that the request has.'
		)
	}),
	one('redirect_uri_rejected', 'The redirect URI was rejected.', {}),
	one('blacklisted', 'The address was blacklisted.', {}),
	one('no_response', 'A request of a blacklisted address got no response.', {}),
	one('status_read', 'The rate limiting status was read.', {}),
	one('ticket_filed', 'A support ticket was filed.', {}),
	one('ticket_decided', 'A support ticket was decided.', {
		decision: v.picklist(['unblock', 'reject'], 'Use "unblock" or "reject".')
	}),
	one('rule_passed', 'A rule of the exam passes for the application.', {
		rule: about(
			v.picklist(ruleIds, 'Use the id of a rule of the exam, such as token.one_refresh.'),
			'A rule of the exam.'
		)
	})
] as const;

/** The vocabulary of conditions: what one exchange of the traffic log can show. */
export const observation = v.variant(
	'kind',
	[...kinds],
	'Use a kind of condition of the documentation, such as "code_issued".'
);
export type Observation = v.InferOutput<typeof observation>;

/** A number that the learner reads off the last character response. */
export const reading = about(
	v.strictObject({
		kind: v.literal('number_entered'),
		label: about(line(60), 'What the field of the page is called.'),
		reads: about(
			v.picklist(['remaining', 'reset'], 'Use "remaining" or "reset".'),
			'The requests that are left, or the seconds until the window ends, by the clock of the service.'
		),
		wrong: about(line(200), 'Shown at the field for another number.')
	}),
	'The learner entered the right number of the last character response.'
);
export type Reading = v.InferOutput<typeof reading>;
