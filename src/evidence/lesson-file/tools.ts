import * as v from 'valibot';
import { whole } from '#api/control/fields.ts';
import { pausePoints } from '#api/control/pause.ts';
import { line } from './texts.ts';

const one = <const K extends string, E extends v.ObjectEntries>(kind: K, entries: E) =>
	v.strictObject({ kind: v.literal(kind), ...entries });

const isOn = v.boolean('Use true or false.');
/** Only as `true`. */
const yes = v.exactOptional(v.literal(true, 'Write true, or leave it out.'));
const parameter = v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/, 'Use the name of a parameter, such as redirect_uri.'));
const scope = v.pipe(v.string(), v.regex(/^[\w.:-]{1,64}$/, 'Use one permission.'));

/** Those of the request builder. The last five need the dialect of today's standards. */
const requests = [
	...(['authorization', 'exchange', 'refresh', 'character', 'ratelimits', 'revoke'] as const),
	...(['pushed', 'device_authorization', 'device_poll', 'client_credentials', 'token_exchange'] as const)
] as const;

/** A control that a step needs. The stage has one component for each kind. */
export const tool = v.variant(
	'kind',
	[
		/** What the learner's own client needs. */
		one('own-client', {}),
		/** A sign-in to the viewer. Another one signs the user out of the service first where `isOther` is set. */
		one('sign-in', {
			access: v.picklist(['online', 'offline'], 'Use "online" or "offline".'),
			scope: v.exactOptional(v.pipe(v.array(scope), v.maxLength(10))),
			isOther: yes
		}),
		/** A character request of the viewer. */
		one('look-up', { name: line(100) }),
		/** One request with its parameters. Those that the learner changes have a field, the others are text. */
		one('request', {
			request: v.picklist(requests, `Use one of ${requests.join(', ')}.`),
			edits: v.exactOptional(v.pipe(v.array(parameter), v.maxLength(5))),
			/** The parameter or header that the step is about. */
			marks: v.exactOptional(
				v.pipe(v.string(), v.regex(/^[A-Za-z_-]{1,40}$/, 'Use the name of a parameter or a header.'))
			),
			/** Turns parameters on, or gives them a value. */
			sets: v.exactOptional(v.pipe(v.record(parameter, line(200)), v.maxEntries(8, 'Set at most 8 parameters.'))),
			/** Adds a new code challenge to an authorization request, and its verifier to an exchange. Without it, neither is sent. */
			usesPkce: yes,
			/** The application of the request. Without it: the viewer. */
			client: v.exactOptional(v.literal('companion', 'Use "companion", or leave it out.')),
			/** Who sends it, where that is not the application. */
			sender: v.exactOptional(v.literal('thief', 'Use "thief", or leave it out.')),
			/** The request opens in another tab, because nothing comes back to this page. */
			opensTab: yes,
			note: v.exactOptional(line(80))
		}),
		/** Many character requests of the viewer. */
		one('load', {
			mode: v.picklist(['atOnce', 'inTurn', 'untilBlacklisted'], 'Use "atOnce", "inTurn" or "untilBlacklisted".'),
			setting: v.exactOptional(v.picklist(['throttle', 'shareRefresh'], 'Use "throttle" or "shareRefresh".')),
			/** What the switch of the setting has to be. */
			isOn: v.exactOptional(isOn),
			/** Hidden where the learner has to read the headers. */
			hidesGauges: yes
		}),
		/** Ends the access tokens of the sandbox. The application does not notice. */
		one('end-tokens', {}),
		one('clock', { hours: whole(1, 1000) }),
		/** Holds a message of the flow, so that the learner can read and change it. `text` says what to look at. */
		one('pause', { point: v.picklist(pausePoints, `Use one of ${pausePoints.join(', ')}.`), text: line(200) }),
		/** A refresh by the viewer. */
		one('refresh', {}),
		/** The side of the attacker. `checkState` is what the switch of the victim's application has to be. */
		one('attack', {
			shows: v.picklist(['create', 'open', 'both'], 'Use "create", "open" or "both".'),
			checkState: isOn
		}),
		/** A link that contains the access token of the viewer. */
		one('leak', { page: v.picklist(['character', 'image'], 'Use "character" or "image".') }),
		one('sign-out', {}),
		/** The account page of the user, in another tab. */
		one('account', {}),
		one('companion', {}),
		/** Requests the rate limit records. */
		one('rate-limits', {}),
		/** The rate limit headers of the last character response. `isCompared`: beside those of the last response with the limits. */
		one('headers', { isCompared: yes }),
		/** The fields of the lesson. */
		one('fields', {}),
		/** The rate limiting status of the address. */
		one('status', {}),
		/** The form of a support ticket, or the decision of the owner. */
		one('tickets', { shows: v.picklist(['file', 'decide'], 'Use "file" or "decide".') })
	],
	'Use a kind of tool of the documentation, such as "sign-in".'
);

export type Tool = v.InferOutput<typeof tool>;
