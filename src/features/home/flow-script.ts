import type { CheckId, checks } from '#api/checks.ts';
import { characterPath } from '#client/service-urls.ts';
import type { Message } from '#ui/flow/messages.ts';

/** A check as the decision trace has it. The types compare it with the table of checks, which is too long to load here. */
export type FlowCheck = {
	[Id in CheckId]: {
		readonly id: Id;
		readonly name: (typeof checks)[Id]['title'];
		readonly section: (typeof checks)[Id]['section'];
		readonly passed: boolean;
	};
}[CheckId];

/** One step of the demo: a message and its effect on the barrier and the rate limit. */
export type FlowStep = {
	readonly message: Omit<Message, 'id'>;
	/** HTTP status, for responses of the service. */
	readonly status?: number;
	/** Checks of the request, as in the decision trace. */
	readonly checks?: readonly FlowCheck[];
	/** Remaining requests after this step. */
	readonly remaining?: number;
	/** How long to show this step, in milliseconds. */
	readonly durationMs: number;
};

export const limit = 6;

/**
 * Sign-in, code exchange, and requests until the limit is reached. The statuses are those of the service, and the checks are
 * a few of each decision trace.
 * @param character its name
 * @param resource as for `characterPath`
 */
export function createFlowScript(character: string, resource?: string): readonly FlowStep[] {
	const label = `GET ${characterPath(character, resource)}`;
	return [
		{ message: { from: 'browser', to: 'application', label: 'Sign in' }, durationMs: 1100 },
		{
			message: { from: 'application', to: 'browser', label: 'redirect: scope, state', isReply: true },
			durationMs: 1100
		},
		{ message: { from: 'browser', to: 'authorization', label: 'GET /ws/oauth2/auth/' }, durationMs: 1100 },
		{
			message: { from: 'authorization', to: 'browser', label: '200 sign-in page', isReply: true },
			status: 200,
			checks: [
				{ id: 'auth.client_known', name: 'client_id belongs to an application', section: '2.1', passed: true },
				{ id: 'auth.scope_known', name: 'Every requested permission exists', section: '2.1', passed: true },
				{ id: 'auth.user_prompted', name: 'Sign-in or consent page shown', section: '5.2', passed: true }
			],
			durationMs: 1900
		},
		{ message: { from: 'browser', to: 'authorization', label: 'POST /ws/oauth2/auth/' }, durationMs: 1100 },
		{
			message: { from: 'authorization', to: 'browser', label: '303 code, state', isReply: true },
			status: 303,
			checks: [
				{ id: 'interaction.method_is_post', name: 'The method is POST', section: '4', passed: true },
				{
					id: 'interaction.decided_by_prompted_user',
					name: 'The decision is that of the user who was asked',
					section: '3.1',
					passed: true
				}
			],
			durationMs: 1700
		},
		{ message: { from: 'browser', to: 'application', label: 'GET /viewer/callback' }, durationMs: 1100 },
		{ message: { from: 'application', to: 'authorization', label: 'POST /ws/oauth2/token/' }, durationMs: 1100 },
		{
			message: { from: 'authorization', to: 'application', label: '200 access_token', isReply: true },
			status: 200,
			checks: [
				{
					id: 'token.client_authenticated',
					name: 'client_id and client_secret belong to an application',
					section: '2.3',
					passed: true
				},
				{ id: 'token.code_not_used', name: 'The code was not used before', section: 'RFC 6749 §4.1.2', passed: true },
				{
					id: 'token.code_exchanged',
					name: 'The code is consumed, and tokens are issued',
					section: '3.1',
					passed: true
				}
			],
			durationMs: 1900
		},
		...[5, 4, 3, 2, 1, 0].flatMap((remaining, index) => accepted(label, remaining, index === 0 ? 1000 : 380)),
		{ message: { from: 'application', to: 'resource', label }, durationMs: 700 },
		{
			message: {
				from: 'resource',
				to: 'application',
				label: '400 rate_limit_exceeded',
				isReply: true,
				isRejected: true
			},
			status: 400,
			checks: [
				{ id: 'address.not_blacklisted', name: 'The address is not blacklisted', section: '3.3', passed: true },
				{ id: 'rate_limit.not_exceeded', name: 'The request is within the rate limit', section: '8', passed: false }
			],
			remaining: 0,
			durationMs: 4200
		}
	];
}

function accepted(label: string, remaining: number, durationMs: number): FlowStep[] {
	return [
		{ message: { from: 'application', to: 'resource', label }, durationMs: durationMs * 0.7 },
		{
			message: { from: 'resource', to: 'application', label: `200 Remaining: ${remaining}`, isReply: true },
			status: 200,
			checks: [
				{ id: 'rate_limit.not_exceeded', name: 'The request is within the rate limit', section: '8', passed: true },
				{ id: 'access_token.not_revoked', name: 'The access token was not revoked', section: '3.1', passed: true },
				{
					id: 'character.scope_granted',
					name: 'The token has a permission for this resource',
					section: '5.6',
					passed: true
				}
			],
			remaining,
			durationMs
		}
	];
}
