import type { FleetSetup } from './fleet-setup.ts';
import type { QuestionOf } from './setup-fields.ts';

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
