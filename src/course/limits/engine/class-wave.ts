import { fleetLookups, fleetWindow, type FleetWave } from '#api/control/class-fleet.ts';
import type { Fleet, FleetClient, FleetResult } from './fleet.ts';
import { noBlacklist } from './fleet-setup.ts';

/** The fleet of a wave in a class: all seats share one limit. The same wave has the same requests on every page. */
export function fleetOfWave({ seed, limit, groups }: FleetWave): Fleet {
	return {
		groups: groups.map(({ policy, seats }) => ({ policy, clients: seats })),
		algorithm: 'fixed_window',
		limit: { limit, window: fleetWindow * 1000 },
		address: 'shared',
		blacklistAfter: noBlacklist,
		lookups: fleetLookups,
		seed
	};
}

/** What the clients of one policy did together. */
export type GroupFigures = Pick<FleetClient, 'policy' | 'requests' | 'rejected'> & { readonly seats: number };

/** The groups of a wave, in their order. */
export function groupFigures({ clients }: FleetResult): GroupFigures[] {
	const groups = new Map<FleetClient['policy'], GroupFigures>();
	for (const { policy, requests, rejected } of clients) {
		const known = groups.get(policy) ?? { policy, seats: 0, requests: 0, rejected: 0 };
		groups.set(policy, {
			policy,
			seats: known.seats + 1,
			requests: known.requests + requests,
			rejected: known.rejected + rejected
		});
	}
	return [...groups.values()];
}

/** What one client did, as a fleet of one. Undefined: of none. @param client its number, from 0 */
export function resultOfClient(result: FleetResult, client: number | undefined): FleetResult {
	return {
		...result,
		clients: result.clients.filter((_, index) => index === client),
		requests: result.requests.flatMap((request) => (request.client === client ? { ...request, client: 0 } : []))
	};
}
