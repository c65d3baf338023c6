import type { FleetOutcome, FleetRequest, FleetResult } from './fleet.ts';

/** The requests of one second, by outcome. */
export type SecondCount = { readonly second: number } & Readonly<Record<FleetOutcome, number>>;

export const totalOf = ({ accepted, rejected, blacklisted }: Record<FleetOutcome, number>): number =>
	accepted + rejected + blacklisted;

/** The seconds that have requests, in order. */
export function countSeconds(requests: readonly Pick<FleetRequest, 'at' | 'outcome'>[]): SecondCount[] {
	const counts = new Map<number, Record<FleetOutcome, number>>();
	for (const { at, outcome } of requests) {
		const second = Math.floor(at / 1000);
		const count = counts.get(second) ?? { accepted: 0, rejected: 0, blacklisted: 0 };
		count[outcome]++;
		counts.set(second, count);
	}
	return [...counts].sort(([a], [b]) => a - b).map(([second, count]) => ({ second, ...count }));
}

/** What can be said of a fleet in numbers. */
export type FleetFigures = {
	readonly requests: number;
	readonly accepted: number;
	/** Requests that were not accepted. */
	readonly rejected: number;
	/** 0 to 1. */
	readonly rejectedShare: number;
	readonly busiest: SecondCount | undefined;
	/** Clients that got all their lookups. */
	readonly done: number;
	/** When the last of them was done, in milliseconds from the start. Undefined: none was. */
	readonly lastDone: number | undefined;
	/** Requests for each lookup that was successful. Undefined: none was. */
	readonly perLookup: number | undefined;
	/** Retries before the reset, which cannot be accepted. */
	readonly early: number;
	/** Clients that sent none of them. */
	readonly patient: number;
	/** Lookups that clients gave up. */
	readonly lost: number;
};

/** @param seconds of its requests */
export function figuresOf({ requests, clients }: FleetResult, seconds = countSeconds(requests)): FleetFigures {
	const accepted = clients.reduce((sum, client) => sum + client.accepted, 0);
	const times = clients.flatMap(({ doneAt }) => doneAt ?? []);
	return {
		requests: requests.length,
		accepted,
		rejected: requests.length - accepted,
		rejectedShare: requests.length === 0 ? 0 : (requests.length - accepted) / requests.length,
		busiest: busiestOf(seconds),
		done: times.length,
		lastDone: times.length === 0 ? undefined : Math.max(...times),
		perLookup: accepted === 0 ? undefined : requests.length / accepted,
		early: clients.reduce((sum, client) => sum + client.early, 0),
		patient: clients.filter(({ early }) => early === 0).length,
		lost: clients.reduce((sum, client) => sum + client.lost, 0)
	};
}

/** The first second with the most requests. */
function busiestOf(seconds: readonly SecondCount[]): SecondCount | undefined {
	const most = Math.max(0, ...seconds.map(totalOf));
	return seconds.find((one) => totalOf(one) === most);
}

/** What happens in the busiest second after the first window. */
export type Herd = {
	/** When it begins, in milliseconds from the start. */
	readonly at: number;
	readonly requests: number;
	/** Clients that send their retry in it. */
	readonly retries: number;
	readonly rejected: number;
};

/** Undefined: no request came after the first window. */
export function herdOf({ requests, fleet }: FleetResult): Herd | undefined {
	const end = (requests[0]?.at ?? 0) + fleet.limit.window;
	const later = requests.filter(({ at }) => at >= end);
	const busiest = busiestOf(countSeconds(later));
	if (busiest === undefined) return undefined;
	const at = busiest.second * 1000;
	const last = new Map<number, FleetOutcome>();
	for (const request of requests) if (request.at < at) last.set(request.client, request.outcome);
	const within = later.filter((request) => request.at >= at && request.at < at + 1000);
	const retries = new Set(within.map(({ client }) => client).filter((client) => last.get(client) === 'rejected'));
	return { at, requests: within.length, retries: retries.size, rejected: busiest.rejected };
}

/** A run, with what is shown of it. */
export type ShownRun = {
	readonly result: FleetResult;
	readonly seconds: readonly SecondCount[];
	readonly figures: FleetFigures;
};

export function shownRun(result: FleetResult): ShownRun {
	const seconds = countSeconds(result.requests);
	return { result, seconds, figures: figuresOf(result, seconds) };
}
