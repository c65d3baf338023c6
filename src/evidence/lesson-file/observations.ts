import * as v from 'valibot';
import { whole } from '#api/control/fields.ts';
import { line, name } from './texts.ts';
import { ruleIds } from './rule-ids.ts';

/** What an exchange can share with the one that showed an earlier condition. */
export const relations = ['flow', 'client', 'address', 'grant', 'family', 'token', 'ticket'] as const;
export type Relation = (typeof relations)[number];

const earlier = v.exactOptional(name);

const one = <const K extends string, E extends v.ObjectEntries>(kind: K, entries: E) =>
	v.strictObject({
		kind: v.literal(kind),
		/** The same sign-in, application, address, grant … as the exchange that showed an earlier condition, named by its id. */
		same: v.exactOptional(
			v.strictObject({
				/** The sign-in. */
				flow: earlier,
				/** The application. */
				client: earlier,
				address: earlier,
				/** What the user allowed the application. */
				grant: earlier,
				/** Everything that one code exchange led to. */
				family: earlier,
				/** A code or token, in any place of the messages. */
				token: earlier,
				/** A support ticket. */
				ticket: earlier
			})
		),
		...entries
	});

const isOn = v.exactOptional(v.boolean('Use true or false.'));
const endpoints = ['auth', 'token', 'revoke', 'character', 'ratelimits', 'ratelimiting', 'account'] as const;

/** Which rejection: the error code of the response, its status, the endpoint. At least one. */
const rejection = {
	/** The error code in the body: `invalid_grant`. */
	error: v.exactOptional(
		v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/, 'Use the error code of a response, such as invalid_grant.'))
	),
	status: v.exactOptional(whole(300, 599)),
	endpoint: v.exactOptional(v.picklist(endpoints, `Use one of ${endpoints.join(', ')}.`))
};

const kinds = [
	one('code_issued', {
		/** With a code challenge, or without one. */
		pkce: isOn,
		/** Whether the user saw the consent page. */
		asked: isOn,
		/** A permission that the code covers. */
		scope: v.exactOptional(v.pipe(v.string(), v.regex(/^[\w.:-]{1,64}$/, 'Use one permission.')))
	}),
	one('consent_denied', {}),
	one('code_exchanged', {
		/** With a code verifier, or without one. */
		pkce: isOn,
		/** Whether a refresh token came. */
		refresh_token: isOn
	}),
	one('code_replayed', {}),
	one('refresh_token_issued', {}),
	one('token_refreshed', {
		/** After all access tokens of the sign-in had expired. */
		after_expiry: isOn
	}),
	one('token_request', {
		/** What it offers. */
		grant: v.picklist(['code', 'refresh_token'], 'Use "code" or "refresh_token".')
	}),
	one('token_rejected', {
		token: v.exactOptional(v.picklist(['access_token', 'refresh_token'], 'Use "access_token" or "refresh_token".')),
		/** `revoked`: it was valid once, and has not only expired. */
		reason: v.exactOptional(v.picklist(['revoked', 'unknown'], 'Use "revoked" or "unknown".'))
	}),
	one('access_revoked', {
		/** By a request of the application, or on the account page. */
		by: v.exactOptional(v.picklist(['application', 'user'], 'Use "application" or "user".'))
	}),
	one('resource_read', {
		resource: v.exactOptional(v.picklist(['character', 'ratelimits'], 'Use "character" or "ratelimits".')),
		token_in: v.exactOptional(v.picklist(['header', 'query'], 'Use "header" or "query".'))
	}),
	one('requests_accepted', {
		/** How many character requests of one address, in this step. */
		count: whole(1, 200),
		/** How many between them may be rejected. 0 without it. */
		rejected: v.exactOptional(whole(0, 200)),
		/** Over how many windows of the rate limit, at least. */
		windows: v.exactOptional(whole(1, 20))
	}),
	one('limit_exceeded', {}),
	one('error_seen', rejection),
	one('error_overcome', rejection),
	one('redirect_uri_rejected', {}),
	one('blacklisted', {}),
	one('no_response', {}),
	one('status_read', {}),
	one('ticket_filed', {}),
	one('ticket_decided', { decision: v.picklist(['unblock', 'reject'], 'Use "unblock" or "reject".') }),
	one('rule_passed', {
		/** Of the exam: `token.one_refresh`. */
		rule: v.picklist(ruleIds, 'Use the id of a rule of the exam, such as token.one_refresh.')
	})
] as const;

/** The vocabulary of conditions: what one exchange of the traffic log can show. */
export const observation = v.variant(
	'kind',
	[...kinds],
	'Use a kind of condition of the documentation, such as "code_issued".'
);
export type Observation = v.InferOutput<typeof observation>;
export type ObservationKind = Observation['kind'];

/** A number that the learner reads off the last character response. */
export const reading = v.strictObject({
	kind: v.literal('number_entered'),
	/** What the field of the page is called. */
	label: line(60),
	/** `remaining`: requests left. `reset`: seconds until the window ends, by the clock of the service. */
	reads: v.picklist(['remaining', 'reset'], 'Use "remaining" or "reset".'),
	/** Shown at the field for another number. */
	wrong: line(200)
});
export type Reading = v.InferOutput<typeof reading>;
