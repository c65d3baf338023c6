import * as v from 'valibot';
import { whole } from '#api/control/fields.ts';
import { pausePoints } from '#api/control/pause.ts';
import { about, line, optional, reference } from './texts.ts';

const one = <const K extends string, E extends v.ObjectEntries>(kind: K, does: string, entries: E) =>
	about(v.strictObject({ kind: v.literal(kind), ...entries }), does);

const isOn = v.boolean('Use true or false.');
/** Only as `true`. */
const yes = v.literal(true, 'Write true, or leave it out.');
const parameter = v.pipe(
	v.string(),
	v.regex(/^[A-Za-z_]{1,40}$/, 'Use the name of a parameter, such as redirect_uri.')
);
const scope = v.pipe(v.string(), v.regex(/^[\w.:-]{1,64}$/, 'Use one permission.'));

/** Those of the request builder. The last six need the dialect of today's standards. */
const requests = [
	...(['authorization', 'exchange', 'refresh', 'character', 'ratelimits', 'revoke'] as const),
	...([
		'pushed',
		'device_authorization',
		'device_poll',
		'client_credentials',
		'token_exchange',
		'introspection'
	] as const)
] as const;

/** A control that a step needs. The stage has one component for each kind. */
export const tool = v.variant(
	'kind',
	[
		one('own-client', 'What the own program needs: base URL, client IDs and secrets.', {}),
		one('sign-in', 'A sign-in to the viewer.', {
			access: v.picklist(['online', 'offline'], 'Use "online" or "offline".'),
			scope: optional(v.pipe(v.array(scope), v.maxLength(10)), 'The permissions that it asks for.'),
			isOther: optional(yes, 'Another user: the last one is signed out of the service first.', 'Another user')
		}),
		one('look-up', 'One character request of the viewer.', { name: about(line(100), 'The character.') }),
		one('request', 'One request with its parameters.', {
			request: about(
				v.picklist(requests, `Use one of ${requests.join(', ')}.`),
				'The last six need the dialect of today’s standards.'
			),
			edits: optional(
				v.pipe(v.array(parameter), v.maxLength(5)),
				'The parameters that the learner changes. The others are text.'
			),
			marks: optional(
				v.pipe(v.string(), v.regex(/^[A-Za-z_-]{1,40}$/, 'Use the name of a parameter or a header.')),
				'The parameter or header that the step is about.'
			),
			sets: optional(
				v.pipe(v.record(parameter, line(200)), v.maxEntries(8, 'Set at most 8 parameters.')),
				'Turns parameters on, or gives them a value.'
			),
			namesActor: optional(
				yes,
				'A token exchange sends the last token of the application itself as actor_token.',
				'Names the actor'
			),
			beside: optional(reference, 'The response to the exchange that showed this condition is shown beside its own.'),
			usesPkce: optional(
				yes,
				'Adds a new code challenge to an authorization request, and its verifier to an exchange.',
				'Uses PKCE'
			),
			client: optional(
				v.literal('companion', 'Use "companion", or leave it out.'),
				'The application of the request. Without it, the viewer.'
			),
			sender: optional(
				v.literal('thief', 'Use "thief", or leave it out.'),
				'Who sends it, where that is not the application.'
			),
			opensTab: optional(yes, 'It opens in another tab, because nothing comes back to this page.'),
			note: v.exactOptional(line(80))
		}),
		one('load', '20 character requests of the viewer.', {
			mode: v.picklist(['atOnce', 'inTurn', 'untilBlacklisted'], 'Use "atOnce", "inTurn" or "untilBlacklisted".'),
			setting: optional(
				v.picklist(['throttle', 'shareRefresh'], 'Use "throttle" or "shareRefresh".'),
				'A setting of the viewer, with its switch.'
			),
			isOn: optional(isOn, 'What the switch of the setting has to be.'),
			hidesGauges: optional(yes, 'The gauges are hidden, because the learner has to read the headers.')
		}),
		one('end-tokens', 'Ends the access tokens of the sandbox. The application does not notice.', {}),
		one('clock', 'Moves the clock ahead.', { hours: whole(1, 1000) }),
		one('pause', 'Holds a message of the flow, so that the learner can read and change it.', {
			point: v.picklist(pausePoints, `Use one of ${pausePoints.join(', ')}.`),
			text: about(line(200), 'What to look at.')
		}),
		one('refresh', 'A refresh by the viewer.', {}),
		one('attack', 'The side of the attacker of the lesson State and login CSRF.', {
			shows: v.picklist(['create', 'open', 'both'], 'Use "create", "open" or "both".'),
			checkState: about(isOn, 'What the switch of the victim’s application has to be.')
		}),
		one('leak', 'A link that contains the access token of the viewer.', {
			page: v.picklist(['character', 'image'], 'Use "character" or "image".')
		}),
		one('sign-out', 'Signs the user out of the viewer.', {}),
		one('account', 'Opens the account page of the user, in another tab.', {}),
		one('companion', 'Opens the installed application.', {}),
		one('rate-limits', 'Requests the rate limit records.', {}),
		one('headers', 'The rate limit headers of the last character response.', {
			isCompared: optional(yes, 'Beside those of the last response with the limits.')
		}),
		one('fields', 'The fields of conditions of the kind `number_entered`.', {}),
		one('status', 'The rate limiting status of the address.', {}),
		one('tickets', 'The form of a support ticket, or the decision of the owner.', {
			shows: v.picklist(['file', 'decide'], 'Use "file" or "decide".')
		})
	],
	'Use a kind of tool of the documentation, such as "sign-in".'
);

export type Tool = v.InferOutput<typeof tool>;
