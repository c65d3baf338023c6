import { type LimitAlgorithm, limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { oneOf, wholeNumber, type SetupFields } from './setup-fields.ts';

/** Simulated clients, and what they share. */
export type FleetSetup = {
	readonly clients: number;
	readonly algorithm: LimitAlgorithm;
	/** Requests in each window. */
	readonly limit: number;
	/** In seconds. */
	readonly window: number;
};

export const fleetFields: SetupFields<FleetSetup> = {
	clients: wholeNumber(1, 200),
	algorithm: oneOf(limitAlgorithmNames),
	limit: wholeNumber(1, 200),
	window: wholeNumber(10, 600)
};
