import type { TrafficEntry } from '#api/control/traffic.ts';
import { errorCodeOf } from '#evidence/describe-exchange.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';

/** How far a flow got. */
export type FlowResult = {
	readonly kind: 'pending' | 'signed_in' | 'denied' | 'failed' | 'ended';
	/** For readers: `invalid_grant · code used twice`. */
	readonly label: string;
};

const endings = {
	replayed: 'Access ended: code used twice',
	failed_exchange: 'Access ended: failed exchange',
	expired: 'Access ended: expired',
	revoked: 'Access revoked'
};

export const pendingFlow: FlowResult = { kind: 'pending', label: 'In progress' };

/**
 * The result of a flow after one more exchange.
 * @param result before it
 */
export function nextResult(result: FlowResult, entry: TrafficEntry): FlowResult {
	let next = result;
	for (const event of entry.credentials) {
		if (event.type === 'issued' && event.kind === 'access_token') next = { kind: 'signed_in', label: 'Signed in' };
		if (event.type === 'ended' && (event.kind === 'grant' || event.kind === 'family') && event.reason !== 'exchanged')
			next = { kind: 'ended', label: endings[event.reason] };
	}
	// A failed request of a user who is signed in does not end the flow.
	if (next.kind === 'signed_in' || next.kind === 'ended') return next;
	const { kind, text } = describeOutcome(entry);
	if (errorCodeOf(entry) === 'access_denied') return { kind: 'denied', label: 'Denied' };
	if (kind !== 'accepted') return { kind: 'failed', label: text };
	// After a wrong password, the user goes on.
	return next.kind === 'failed' && entry.endpoint === 'auth' ? pendingFlow : next;
}
