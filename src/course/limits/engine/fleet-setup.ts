import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { type Fleet, mostClients } from './fleet.ts';
import { type RetryPolicyName, retryPolicyNames } from '#api/retry-policy.ts';
import { oneOf, wholeNumber, type QuestionOf, type SetupOf } from './setup-fields.ts';

/** Simulated clients, what they share, and what they do when a request is rejected. */
export const fleetFields = {
	clients: wholeNumber(1, mostClients),
	algorithm: oneOf(limitAlgorithmNames),
	/** Requests in each window. */
	limit: wholeNumber(1, 200),
	/** In seconds. */
	window: wholeNumber(10, 600),
	policy: oneOf(retryPolicyNames),
	/** What the second half of the clients does. `same`: what the first one does. */
	others: oneOf([...retryPolicyNames, 'same']),
	/** The policy of the same clients in the second chart. `nothing`: there is one chart. */
	compare: oneOf([...retryPolicyNames, 'nothing']),
	/** `shared`: all clients have one address. `own`: each has its own. */
	address: oneOf(['shared', 'own']),
	/** Rejected requests in one window that blacklist an address. */
	blacklist: wholeNumber(1, 100_000)
};
export type FleetSetup = SetupOf<typeof fleetFields>;

export type FleetQuestion = QuestionOf<'fleet', FleetSetup>;

/** The default of a sandbox. */
export const usualBlacklist = 100;
/** In place of the default: the blacklist is another question. */
export const noBlacklist = 100_000;

const setup: FleetSetup = {
	clients: 20,
	algorithm: 'fixed_window',
	limit: 10,
	window: 60,
	policy: 'retry_after',
	others: 'same',
	compare: 'nothing',
	address: 'shared',
	blacklist: noBlacklist
};

/** In the order of the menu. */
export const fleetQuestions: readonly FleetQuestion[] = [
	{ id: 'retries-together', title: 'Why do 19 of 20 retries arrive together?', view: 'fleet', setup },
	{
		id: 'jitter-below',
		title: 'What does jitter below the reset cost?',
		view: 'fleet',
		setup: { ...setup, policy: 'jitter_below', compare: 'jitter_above' }
	},
	{
		id: 'shared-address',
		title: 'Who shares my address?',
		view: 'fleet',
		setup: { ...setup, policy: 'jitter_above', blacklist: usualBlacklist }
	},
	{
		id: 'blacklisted-with-others',
		title: 'Why is a patient client blacklisted?',
		view: 'fleet',
		setup: { ...setup, policy: 'fixed', others: 'jitter_above', blacklist: usualBlacklist }
	}
];

/** What each client looks up. */
export const lookupsOfClient = 3;
/** With it, 19 of the 20 clients of the first question retry in one second. */
const seed = 3;

/**
 * The fleet of a setup.
 * @param policy of the first half of the clients: that of the setup, or the one it is compared with
 * @param used when others used the limit, in milliseconds from the start
 */
export function fleetOf(setup: FleetSetup, policy: RetryPolicyName, used: readonly number[] = []): Fleet {
	const { clients, algorithm, limit, window, others, address, blacklist } = setup;
	const half = others === 'same' ? clients : Math.ceil(clients / 2);
	return {
		groups: [{ policy, clients: half }, ...(others === 'same' ? [] : [{ policy: others, clients: clients - half }])],
		algorithm,
		limit: { limit, window: window * 1000 },
		address,
		blacklistAfter: blacklist,
		lookups: lookupsOfClient,
		seed,
		used
	};
}
