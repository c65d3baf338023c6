import type { TrafficEntry } from '#wire/control/traffic.ts';
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

/**
 * The result of a flow.
 * @param entries of the flow, oldest first
 */
export function flowResult(entries: readonly TrafficEntry[]): FlowResult {
	let result: FlowResult = { kind: 'pending', label: 'In progress' };
	for (const entry of entries) {
		for (const event of entry.credentials) {
			if (event.type === 'issued' && event.kind === 'access_token') result = { kind: 'signed_in', label: 'Signed in' };
			if (event.type === 'ended' && (event.kind === 'grant' || event.kind === 'family') && event.reason !== 'exchanged')
				result = { kind: 'ended', label: endings[event.reason] };
		}
		// A failed request of a user who is signed in does not end the flow.
		if (result.kind === 'signed_in' || result.kind === 'ended') continue;
		const check = failedCheck(entry);
		if (check !== undefined) result = { kind: 'failed', label: `Failed at ${check.id}` };
		const error = authorizationError(entry);
		if (error !== undefined)
			result =
				error === 'access_denied' ? { kind: 'denied', label: 'Denied' } : { kind: 'failed', label: `Failed: ${error}` };
	}
	return result;
}

/** The error that the authorization response carries back to the client. */
function authorizationError({ endpoint, response }: TrafficEntry): string | undefined {
	if (endpoint !== 'auth') return undefined;
	const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
	return location === undefined ? undefined : /[?&#]error=([\w.-]+)/.exec(location)?.[1];
}
