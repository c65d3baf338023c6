import type { CheckId } from '#api/checks.ts';
import { characterPath } from '#client/service-urls.ts';
import type { Message } from '#ui/flow/messages.ts';

/** Why a request was rejected. */
type DemoMistake = {
	/** The check. */
	readonly id: CheckId;
	readonly text: string;
	/** What the request contained, apart from the origin. */
	readonly found: string;
	readonly expected: string;
};

/** What the service did with a request. */
export type FlowResult = {
	readonly status: number;
	/** How many checks passed. */
	readonly passed: number;
	readonly mistake?: DemoMistake;
	/** Remaining requests. */
	readonly remaining?: number;
};

/** One step of the demo: a message, and the result that it brings. */
export type FlowStep = { readonly message: Omit<Message, 'id'>; readonly result?: FlowResult };

/** The requests that a user may send in the demo. */
export const limit = 6;

/**
 * A flow whose last request is rejected, and the same flow without the mistake. The results are those of the service.
 * @param character its name
 * @param resource as for `characterPath`
 */
export function createFlows(character: string, resource?: string): readonly (readonly FlowStep[])[] {
	const authorize: FlowStep = { message: { from: 'browser', to: 'authorization', label: 'GET /ws/oauth2/auth/' } };
	const code: FlowStep = {
		message: { from: 'authorization', to: 'browser', label: '303 code, state', isReply: true },
		result: { status: 303, passed: 8 }
	};
	const callback: FlowStep = { message: { from: 'browser', to: 'application', label: 'GET /viewer/callback' } };
	const exchange: FlowStep = {
		message: { from: 'application', to: 'authorization', label: 'POST /ws/oauth2/token/' }
	};
	return [
		[
			{ message: { from: 'browser', to: 'application', label: 'Sign in' } },
			{ message: { from: 'application', to: 'browser', label: '302 redirect_uri', isReply: true } },
			authorize,
			code,
			callback,
			exchange,
			{
				message: {
					from: 'authorization',
					to: 'application',
					label: '400 invalid_grant',
					isReply: true,
					isRejected: true
				},
				result: {
					status: 400,
					passed: 12,
					mistake: {
						id: 'token.redirect_uri_matches',
						text: 'redirect_uri differs: one slash at the end',
						found: '/viewer/callback/',
						expected: '/viewer/callback'
					}
				}
			}
		],
		[
			authorize,
			code,
			callback,
			exchange,
			{
				message: { from: 'authorization', to: 'application', label: '200 access_token', isReply: true },
				result: { status: 200, passed: 16 }
			},
			{ message: { from: 'application', to: 'resource', label: `GET ${characterPath(character, resource)}` } },
			{
				message: { from: 'resource', to: 'application', label: `200 Remaining: ${limit - 1}`, isReply: true },
				result: { status: 200, passed: 12, remaining: limit - 1 }
			}
		]
	];
}
