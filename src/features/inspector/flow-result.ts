import type { TrafficEntry } from '#api/control/traffic.ts';
import { failedCheck } from './inspector-filter.ts';

/** How far a flow got. */
export type FlowResult = {
	readonly kind: 'pending' | 'signed_in' | 'denied' | 'failed' | 'ended';
	/** For readers: `Failed at token.code_not_used`. */
	readonly label: string;
};

const endings = {
	replayed: 'Access ended: code used twice',
	failed_exchange: 'Access ended: failed exchange',
	expired: 'Access ended: expired',
	revoked: 'Access revoked'
};

/** The result of a flow without exchanges. */
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
	const error = authorizationError(entry);
	if (error === 'access_denied') return { kind: 'denied', label: 'Denied' };
	if (error !== undefined) return { kind: 'failed', label: `Failed: ${error}` };
	const check = failedCheck(entry);
	return check === undefined ? next : { kind: 'failed', label: `Failed at ${check.id}` };
}

/** The error that the authorization response carries back to the client. */
function authorizationError({ endpoint, response }: TrafficEntry): string | undefined {
	if (endpoint !== 'auth') return undefined;
	const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
	return location === undefined ? undefined : /[?&#]error=([\w.-]+)/.exec(location)?.[1];
}
