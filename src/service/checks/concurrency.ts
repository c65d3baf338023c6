import { check, inSandboxes } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import type { RateLimitWindow } from '../sandbox/records.ts';
import { ownerOfVirtual } from './blacklist.ts';
import { overLimit, partitionKey } from './limit-headers.ts';
import type { LimitState } from '../limits/algorithms.ts';

/** How soon a client may try again, in seconds. It is unknown when one of its requests ends. */
const retryAfter = 1;

const policy = 'concurrent';

/** Whether a record counts requests in progress. A snapshot has none. */
export function isConcurrencyKey(key: string): boolean {
	return key.startsWith(`${policy} `);
}

/**
 * Rejects a request while as many of its address are in progress as the sandbox allows. It counts for the rate limit, but not toward
 * the blacklist.
 */
export const limitConcurrency = inSandboxes<Context>(
	({ sandbox }) => sandbox.state.settings.limits.concurrent > 0,
	[
		check<Context>('rate_limit.few_at_once', async (context) => {
			const { concurrent: limit } = context.sandbox.state.settings.limits;
			const key = `${policy} ${context.clientAddress}`;
			let admission: Admission | undefined;
			const open = await context.store.update('rate_limit_window', key, (known) => {
				admission = beginRequest(known, limit, context.now());
				return recordOf(context, known, admission.state);
			});
			const count = openRequests(open, context.now());
			if (context.dialect.limit.fields) {
				const pk = partitionKey(context);
				addPolicy(context, 'RateLimit-Policy', `"${policy}";q=${limit};qu="concurrent-requests";pk=${pk}`);
				addPolicy(context, 'RateLimit', `"${policy}";r=${Math.max(0, limit - count)};pk=${pk}`);
			}
			if (admission?.isAccepted === true) {
				const { ends } = admission;
				context.note(`Request ${count} in progress for ${context.clientAddress}`);
				context.compare(`${count} in progress, with this one`, [`at most ${limit} in progress`]);
				context.end = async () => {
					await context.store.update('rate_limit_window', key, (known) => {
						const state = endRequest(known, ends, context.now());
						return state && recordOf(context, known, state);
					});
				};
				return;
			}
			context.compare(`${count} in progress, without this one`, [`at most ${limit} in progress`]);
			throw new ProtocolError(
				'rate_limit_exceeded',
				`Too many requests at once: ${count} of this address are in progress, and ${limit} may be. Wait for one of their responses.`,
				overLimit(context, context.now() + retryAfter * 1000, policy)
			);
		})
	]
);

function recordOf(
	context: Context,
	known: RateLimitWindow | undefined,
	state: Pick<RateLimitWindow, 'count' | 'expires' | 'before'>
): RateLimitWindow {
	const { createdBy } = known ?? ownerOfVirtual(context);
	return { ...(createdBy !== undefined && { createdBy }), ...state, refused: 0 };
}

/** Adds an item to the list in a header that the rate limit has set. */
function addPolicy({ headers }: Context, name: string, item: string): void {
	const at = headers.indexOf(name) + 1;
	headers[at] = `${headers[at] ?? ''}, ${item}`;
}

/** How long a request can take, in milliseconds. One that is still open then has been lost, with the process that handled it. */
export const longestRequest = 120_000;

/** What a request gets. */
type Admission = {
	/** After the request. */
	readonly state: LimitState;
	readonly isAccepted: boolean;
	/** When an accepted request ends at the latest, by which `endRequest` knows it. */
	readonly ends: number;
};

/** When each open request ends at the latest, soonest first. */
function openUntil(state: LimitState | undefined, now: number): number[] {
	if (state === undefined) return [];
	return (state.before ?? []).map((ago) => state.expires - ago).filter((end) => end > now);
}

function stateOf(ends: readonly number[], now: number): LimitState {
	const expires = Math.max(now + 1, ...ends);
	return { count: ends.length, expires, before: ends.map((end) => expires - end) };
}

/** How many requests are open. */
export function openRequests(state: LimitState | undefined, now: number): number {
	return openUntil(state, now).length;
}

/**
 * Decides about a request, by how many are open.
 * @param limit how many may be open at once
 */
export function beginRequest(state: LimitState | undefined, limit: number, now: number): Admission {
	const open = openUntil(state, now);
	const ends = now + longestRequest;
	const isAccepted = open.length < limit;
	return { state: stateOf(isAccepted ? [...open, ends] : open, now), isAccepted, ends };
}

/**
 * Ends a request that was accepted. Undefined: none is open.
 * @param ends from its admission
 */
export function endRequest(state: LimitState | undefined, ends: number, now: number): LimitState | undefined {
	const open = openUntil(state, now);
	const at = open.indexOf(ends);
	const left = at === -1 ? open : open.toSpliced(at, 1);
	return left.length === 0 ? undefined : stateOf(left, now);
}
