import type { Message } from '../flow/messages.ts';

/** One step of the demo: a message and its effect on the barrier and the rate limit. */
export type FlowStep = {
	readonly message: Omit<Message, 'id'>;
	/** HTTP status, for responses of the service. */
	readonly status?: number;
	/** Checks of the request, as in the decision trace. */
	readonly checks?: readonly { readonly name: string; readonly section: string; readonly passed: boolean }[];
	/** Remaining requests after this step. */
	readonly remaining?: number;
	/** How long to show this step, in milliseconds. */
	readonly durationMs: number;
};

export const limit = 6;
const name = 'GET /ws/v2.0/character/Mara%20Vell';

/**
 * Sign-in, code exchange, and requests until the limit is reached. The statuses are those of the service, and the checks are
 * a few of each decision trace.
 */
export const flowScript: readonly FlowStep[] = [
	{ message: { from: 'browser', to: 'application', label: 'Sign in' }, durationMs: 1100 },
	{ message: { from: 'application', to: 'browser', label: 'redirect: scope, state', reply: true }, durationMs: 1100 },
	{ message: { from: 'browser', to: 'authorization', label: 'GET /ws/oauth2/auth/' }, durationMs: 1100 },
	{
		message: { from: 'authorization', to: 'browser', label: '200 sign-in page', reply: true },
		status: 200,
		checks: [
			{ name: 'client_id is that of an application', section: '2.1', passed: true },
			{ name: 'every permission asked for exists', section: '2.1', passed: true },
			{ name: 'the person signs in or decides', section: '5', passed: true }
		],
		durationMs: 1900
	},
	{ message: { from: 'browser', to: 'authorization', label: 'POST /ws/oauth2/auth/' }, durationMs: 1100 },
	{
		message: { from: 'authorization', to: 'browser', label: '303 code, state', reply: true },
		status: 303,
		checks: [
			{ name: 'the method is POST', section: '4', passed: true },
			{ name: 'the decision is of the person who was asked', section: '3.1', passed: true }
		],
		durationMs: 1700
	},
	{ message: { from: 'browser', to: 'application', label: 'GET /viewer/callback' }, durationMs: 1100 },
	{ message: { from: 'application', to: 'authorization', label: 'POST /ws/oauth2/token/' }, durationMs: 1100 },
	{
		message: { from: 'authorization', to: 'application', label: '200 access_token', reply: true },
		status: 200,
		checks: [
			{ name: 'client_id and client_secret are those of an application', section: '2.3', passed: true },
			{ name: 'the grant is good and turns into tokens', section: '3.1', passed: true }
		],
		durationMs: 1900
	},
	...[5, 4, 3, 2, 1, 0].flatMap((remaining, index) => accepted(remaining, index === 0 ? 1000 : 380)),
	{ message: { from: 'application', to: 'resource', label: name }, durationMs: 700 },
	{
		message: {
			from: 'resource',
			to: 'application',
			label: '400 rate_limit_exceeded',
			reply: true,
			outcome: 'rejected'
		},
		status: 400,
		checks: [
			{ name: 'the address is not blacklisted', section: '3.3', passed: true },
			{ name: 'the call is within the rate limit', section: '8', passed: false }
		],
		remaining: 0,
		durationMs: 4200
	}
];

function accepted(remaining: number, durationMs: number): FlowStep[] {
	return [
		{ message: { from: 'application', to: 'resource', label: name }, durationMs: durationMs * 0.7 },
		{
			message: { from: 'resource', to: 'application', label: `200 Remaining: ${remaining}`, reply: true },
			status: 200,
			checks: [
				{ name: 'the call is within the rate limit', section: '8', passed: true },
				{ name: 'the access token is good', section: '5', passed: true },
				{ name: 'the token carries character_read', section: '2.1', passed: true }
			],
			remaining,
			durationMs
		}
	];
}
