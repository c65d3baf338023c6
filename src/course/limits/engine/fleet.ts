import type { LimitAlgorithm } from '#api/limit-algorithm.ts';
import { seededRandom } from '#lib/seeded-random.ts';
import { algorithms, type LimitPolicy, type LimitState } from '#service/limits/algorithms.ts';
import type { RetryPolicyName } from '#api/retry-policy.ts';
import { retryPolicy } from './retry-policies.ts';

/** Simulated clients and the limit that they meet. */
export type Fleet = {
	/** Clients in groups that do the same when a request is rejected. Those who make a fleet limit how many. */
	readonly groups: readonly { readonly policy: RetryPolicyName; readonly clients: number }[];
	readonly algorithm: LimitAlgorithm;
	readonly limit: LimitPolicy;
	/** `shared`: all clients have one address, and so one limit. `own`: each has its own. */
	readonly address: 'shared' | 'own';
	/** Rejected requests in one window that blacklist an address. */
	readonly blacklistAfter: number;
	/** How many requests of each client have to be accepted. */
	readonly lookups: number;
	/** 0 to 4,294,967,295. The same seed gives the same clients, whatever their policy. */
	readonly seed: number;
	/** When others used the shared limit, in milliseconds from the start, in order. */
	readonly used?: readonly number[];
};

/** `blacklisted`: there was no response. */
export type FleetOutcome = 'accepted' | 'rejected' | 'blacklisted';

export type FleetRequest = {
	/** Milliseconds from the start. */
	readonly at: number;
	/** The number of the client, from 0. */
	readonly client: number;
	readonly outcome: FleetOutcome;
	/** Whether it was sent before the reset that the response before it reported. None of these can be accepted. */
	readonly isEarly: boolean;
};

export type FleetClient = {
	readonly policy: RetryPolicyName;
	readonly requests: number;
	readonly accepted: number;
	readonly rejected: number;
	/** Retries before the reset, which cannot be accepted. */
	readonly early: number;
	/** Lookups that it gave up. */
	readonly lost: number;
	/** When it had its last lookup, in milliseconds from the start. Undefined: it did not get all. */
	readonly doneAt: number | undefined;
};

export type FleetResult = {
	readonly fleet: Fleet;
	/** In order of time. */
	readonly requests: readonly FleetRequest[];
	readonly clients: readonly FleetClient[];
	/** When windows of a shared fixed window ended, in milliseconds from the start. */
	readonly resets: readonly number[];
	/** When the shared address was blacklisted, in milliseconds from the start. */
	readonly blacklistedAt: number | undefined;
};

/** The most clients of a fleet that a visitor sets up. */
export const mostClients = 200;
/** What is simulated at most, in milliseconds. */
export const longestRun = 3_600_000;
/** Within it all clients start, in milliseconds. */
const startSpread = 8000;
/** Between an accepted request and the next lookup of a client, in milliseconds. */
const shortestPause = 1000;
const longestPause = 2000;
/** After so many requests other work can be done. */
const sliceRequests = 500;

/** A client while it runs. */
type Running = {
	/** What it did so far. */
	readonly did: { -readonly [Figure in keyof FleetClient]: FleetClient[Figure] };
	readonly random: () => number;
	/** When it sends the next request. Infinity: never. */
	next: number;
	/** The reset that the rejection before reported. */
	reset: number;
	/** How often the current lookup was rejected. */
	times: number;
};

/** What the service knows of an address. */
type Address = { state?: LimitState; rejections: number; blacklistedAt?: number };

/** Runs a fleet. */
export function runFleet(fleet: Fleet): FleetResult {
	const steps = fleetSteps(fleet);
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/** Runs a fleet in parts, so that a page stays responsive: between two of them, other work can be done. */
export function* fleetSteps(fleet: Fleet): Generator<undefined, FleetResult, undefined> {
	const running = startClients(fleet);
	const shared = new Service(fleet);
	const services = fleet.address === 'shared' ? [] : running.map(() => new Service(fleet));
	const requests: FleetRequest[] = [];
	const used = [...(fleet.used ?? [])];
	for (;;) {
		const index = earliest(running);
		const client = running[index];
		if (client === undefined || client.next > longestRun) break;
		const at = client.next;
		while (used[0] !== undefined && used[0] <= at) shared.decide(used.shift() ?? at);
		const { outcome, ...reported } = (services[index] ?? shared).decide(at);
		const isEarly = at < client.reset;
		if (isEarly) client.did.early++;
		requests.push({ at, client: index, outcome, isEarly });
		goOn(client, at, outcome, reported, fleet);
		if (requests.length % sliceRequests === 0) yield;
	}
	return {
		fleet,
		requests,
		clients: running.map(({ did }) => did),
		resets: shared.resets,
		blacklistedAt: shared.address.blacklistedAt
	};
}

function startClients({ groups, seed }: Fleet): Running[] {
	const policies = groups.flatMap(({ policy, clients }) => Array<RetryPolicyName>(clients).fill(policy));
	return policies.map((policy, index) => {
		// Each has its own numbers, so further clients do not change it.
		const random = seededRandom(seed * 1000 + index);
		const start = Math.round(random() * startSpread);
		const did = { policy, requests: 0, accepted: 0, rejected: 0, early: 0, lost: 0, doneAt: undefined };
		return { did, random, next: index === 0 ? 0 : start, reset: 0, times: 0 };
	});
}

/** The client that sends the next request; the first of several. */
function earliest(running: readonly Running[]): number {
	let found = 0;
	let time = Infinity;
	running.forEach(({ next }, index) => {
		if (next >= time) return;
		time = next;
		found = index;
	});
	return found;
}

/** What a response said. Times are in milliseconds. */
type Reported = {
	readonly remaining: number;
	/** From the start. */
	readonly reset: number;
	/** From now, in whole seconds. */
	readonly retryAfter: number;
	/** How long the request waited in a queue. */
	readonly delay: number;
};

const noResponse: Reported = { remaining: 0, reset: 0, retryAfter: 0, delay: 0 };

function goOn(client: Running, at: number, outcome: FleetOutcome, reported: Reported, { lookups }: Fleet): void {
	const { did, random } = client;
	const { wait, pace } = retryPolicy(did.policy);
	did.requests++;
	// Without a response it stops.
	client.next = Infinity;
	if (outcome === 'blacklisted') return;
	if (outcome === 'rejected') {
		did.rejected++;
		client.times++;
		client.reset = reported.reset;
		const waited = wait({ times: client.times, retryAfter: reported.retryAfter, random });
		if (waited !== undefined) {
			client.next = Math.round(at + Math.max(1, waited));
			return;
		}
		did.lost++;
	} else {
		did.accepted++;
		client.reset = 0;
	}
	client.times = 0;
	const end = at + reported.delay;
	if (did.accepted === lookups) did.doneAt = end;
	if (did.accepted + did.lost === lookups) return;
	const pause = shortestPause + random() * (longestPause - shortestPause);
	const paced =
		outcome === 'accepted' ? pace?.({ remaining: reported.remaining, reset: reported.retryAfter }) : undefined;
	client.next = Math.round(end + Math.max(pause, paced ?? 0));
}

/** The decisions about one address, as the service makes them. */
class Service {
	readonly address: Address = { rejections: 0 };
	readonly resets: number[] = [];
	readonly #fleet: Fleet;

	constructor(fleet: Fleet) {
		this.#fleet = fleet;
	}

	decide(now: number): Reported & { readonly outcome: FleetOutcome } {
		const { address } = this;
		if (address.blacklistedAt !== undefined) return { outcome: 'blacklisted', ...noResponse };
		const { algorithm, limit, blacklistAfter } = this.#fleet;
		const { take, view } = algorithms[algorithm];
		if (address.state !== undefined && address.state.expires <= now) {
			delete address.state;
			address.rejections = 0;
		}
		const isNew = address.state === undefined;
		const { state, isAccepted, delay } = take(address.state, limit, now);
		address.state = state;
		if (isNew && algorithm === 'fixed_window') this.resets.push(state.expires);
		address.rejections = isAccepted ? 0 : address.rejections + 1;
		if (address.rejections >= blacklistAfter) address.blacklistedAt = now;
		const { remaining, reset } = view(state, limit, now);
		const retryAfter = Math.max(1, Math.ceil((reset - now) / 1000)) * 1000;
		return { outcome: isAccepted ? 'accepted' : 'rejected', remaining, reset, retryAfter, delay };
	}
}
