import * as v from 'valibot';
import { retryPolicyNames, type RetryPolicyName } from '../retry-policy.ts';
import { instant } from './fields.ts';

/** How many waves a fleet has. */
export const fleetWaves = 3;
/** What each simulated client looks up in a wave. */
export const fleetLookups = 2;
/** The window of the limit that all seats share, in seconds. */
export const fleetWindow = 60;
/** What the client of a seat does that chose nothing. */
export const usualPolicy: RetryPolicyName = 'fixed';

/** The limit that so many seats share, in requests of a window. A wave takes about five windows, whatever the size of the class. */
export function fleetLimit(seats: number): number {
	return Math.max(1, Math.round((seats * 10) / 24));
}

export const retryPolicyName = v.picklist(retryPolicyNames);

/** How many seats do the same. */
const fleetGroup = v.object({ policy: retryPolicyName, seats: v.number() });

/** A wave that was started, with all that its simulation needs. It names no seat. */
export const fleetWave = v.object({
	/** From 1. */
	number: v.number(),
	started: instant,
	seed: v.number(),
	/** Requests in a window. */
	limit: v.number(),
	/** In the order of the policies. The clients are numbered in this order. */
	groups: v.array(fleetGroup)
});

/** The fleet of a class: each seat chooses what its simulated client does when a request is rejected. */
export const classFleet = v.object({
	/** What the seats chose for the next wave, with those that chose nothing. */
	choices: v.array(fleetGroup),
	/** How many seats chose nothing. */
	undecided: v.number(),
	/** The wave that was started last. */
	wave: v.nullable(fleetWave)
});

/** The fleet as a seat sees it. */
export const seatFleet = v.object({
	/** How many seats the class has now. */
	seats: v.number(),
	/** What the seat chose. */
	choice: v.nullable(retryPolicyName),
	wave: v.nullable(fleetWave),
	/** What its client did in the wave, and its number, from 0. `null`: the seat joined later. */
	client: v.nullable(v.object({ policy: retryPolicyName, number: v.number() }))
});

export type FleetGroup = v.InferOutput<typeof fleetGroup>;
export type FleetWave = v.InferOutput<typeof fleetWave>;
export type ClassFleet = v.InferOutput<typeof classFleet>;
export type SeatFleet = v.InferOutput<typeof seatFleet>;
