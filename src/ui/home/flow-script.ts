import type { Message } from '../flow/messages.ts';

/** One moment of the miniature: what is said, and what the service's answer did to the barrier and the budget. */
export type FlowStep = {
	readonly message: Omit<Message, 'id'>;
	/** The status of the answer, where this is one that the toll decides. */
	readonly status?: number;
	/** What the service looked at, as its decision trace says it. */
	readonly checks?: readonly { readonly name: string; readonly section: string; readonly passed: boolean }[];
	/** Calls left afterwards. */
	readonly remaining?: number;
	/** How long it stands before the next, in milliseconds. */
	readonly durationMs: number;
};

export const limit = 6;
const name = 'GET /ws/v2.0/character/Mara%20Vell';

/**
 * A whole round: sign in, exchange, call until the budget is empty. It is what the product shows, position by a script; the
 * statuses and the checks are the service's own, a few of each decision trace.
 */
export const flowScript: readonly FlowStep[] = [
	{ message: { from: 'browser', to: 'application', label: 'Sign in' }, durationMs: 1100 },
	{ message: { from: 'application', to: 'browser', label: 'scope, state', reply: true }, durationMs: 1100 },
	{ message: { from: 'browser', to: 'authorization', label: 'GET /ws/oauth2/auth/' }, durationMs: 1100 },
	{
		message: { from: 'authorization', to: 'browser', label: '200 sign in, agree', reply: true },
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
		message: { from: 'resource', to: 'application', label: '400 rate_limit_exceeded', reply: true, outcome: 'refused' },
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
