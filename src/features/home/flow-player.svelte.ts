import type { Message } from '#ui/flow/messages.ts';
import type { BarrierState } from '#ui/flow/barrier.svelte.ts';
import type { CheckId } from '#api/checks.ts';
import { characterPath } from '#client/service-urls.ts';

/** How long an arrow is shown before the next one, and the last one of a flow, in milliseconds. */
const stepTime = 600;
const lastTime = 4200;

/** Plays flows step by step, in an endless loop. At first, the first one is complete. */
export class FlowPlayer {
	readonly #flows: readonly (readonly FlowStep[])[];
	/** Number of flows that began. */
	#round = $state(0);
	/** Number of steps shown. */
	position = $state(0);
	readonly #flow: readonly FlowStep[] = $derived.by(() => this.#flows[this.#round % this.#flows.length] ?? []);
	readonly #past: readonly FlowStep[] = $derived(this.#flow.slice(0, this.position));
	readonly length: number = $derived(this.#flow.length);
	readonly messages: readonly Message[] = $derived(
		this.#past.map((step, index) => ({ ...step.message, id: `${this.#round}-${index}` }))
	);
	/** Of the latest request with a response. */
	readonly result: FlowResult | undefined = $derived(this.#past.findLast(({ result }) => result)?.result);
	readonly barrier: BarrierState = $derived(
		this.result === undefined ? 'idle' : this.result.status < 400 ? 'open' : 'closed'
	);

	/** @param flows `createFlows` */
	constructor(flows: readonly (readonly FlowStep[])[]) {
		this.#flows = flows;
		this.position = flows[0]?.length ?? 0;
	}

	/** How long to show the current step, in milliseconds. It reads the step, so an effect that uses it runs again for each step. */
	get durationMs(): number {
		return this.position < this.length ? stepTime : lastTime;
	}

	/** Shows the next step. After the last one of a flow, the next flow begins. */
	next(): void {
		if (this.position === this.length) {
			this.#round += 1;
			this.position = 1;
		} else this.position += 1;
	}
}

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
type FlowResult = {
	readonly status: number;
	/** How many checks passed. */
	readonly passed: number;
	readonly mistake?: DemoMistake;
	/** Remaining requests. */
	readonly remaining?: number;
};

/** One step of the demo: a message, and the result that it brings. */
type FlowStep = { readonly message: Omit<Message, 'id'>; readonly result?: FlowResult };

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
