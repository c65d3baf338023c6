import type { ClassView } from '#api/control/board.ts';
import { countText } from '#lib/count-text.ts';
import { fleetLimit, fleetLookups, fleetWaves, usualPolicy, type FleetWave } from '#api/control/class-fleet.ts';
import { retryPolicyNames, type RetryPolicyName } from '#api/retry-policy.ts';
import { totalOf, type ShownRun } from '../../limits/engine/fleet-figures.ts';
import { percentText, type FleetFinding } from '../../limits/engine/fleet-finding.ts';
import { clockText } from '#ui/gauges/duration.ts';

/** The question of the fleet of a class. */
export const fleetQuestion = 'What does your policy cost the others?';

/** What a student chooses. */
export const policyChoices: Readonly<Record<RetryPolicyName, string>> = {
	none: 'Give up',
	fixed: 'Retry every 5 seconds',
	exponential: 'Wait 1, 2, 4, 8 … seconds',
	exponential_jitter: 'Wait at random, up to 1, 2, 4 … seconds',
	retry_after: 'Wait for Retry-After',
	jitter_below: 'Wait a random part of Retry-After',
	jitter_above: 'Wait for Retry-After, then a random time',
	pace: 'Pace requests by the RateLimit header'
};

/** In the order of the choice: giving up is last. */
export const choiceOrder: readonly RetryPolicyName[] = [...retryPolicyNames.filter((name) => name !== 'none'), 'none'];

/** The number of the wave that comes next. Undefined after the last one. */
export function nextWave(wave: FleetWave | null): number | undefined {
	const next = (wave?.number ?? 0) + 1;
	return next > fleetWaves ? undefined : next;
}

/** What all seats share: `24 clients, one limit of 10 requests per minute.` @param seats that the next wave would have */
export function limitText(wave: FleetWave | null, seats: number): string {
	const clients = wave === null ? seats : wave.groups.reduce((sum, group) => sum + group.seats, 0);
	const limit = wave?.limit ?? fleetLimit(seats);
	return `${countText(clients, 'client')}, one limit of ${countText(limit, 'request')} per minute.`;
}

/** Where the fleet is: `Wave 2 of 3.` */
export function waveText(wave: FleetWave | null): string {
	return wave === null ? `Before wave 1 of ${fleetWaves}.` : `Wave ${wave.number} of ${fleetWaves}.`;
}

/** What the instructor asks, and how many seats are ready. */
export function questionOf({ fleet, joined }: ClassView): FleetFinding {
	const title = 'Ask the class';
	if (fleet === null) return { title, text: 'What does a client do when it is rejected? What should it do?' };
	const { wave, undecided } = fleet;
	const next = nextWave(wave);
	const ready = joined - undecided;
	const isReady = `${ready} of ${countText(joined, 'seat')} ${ready === 1 ? 'is' : 'are'} ready${next === undefined ? '' : ` for wave ${next}`}.`;
	const others = undecided === 0 ? '' : ` The others: ${policyChoices[usualPolicy].toLowerCase()}.`;
	return {
		title,
		text:
			wave === null
				? 'Which policy is done first? Which one sends the most requests?'
				: 'Who made the most requests? Who was done first? Are they the same seats?',
		advice: `${waveText(wave)} ${isReady}${others}`
	};
}

/** A time of a run: `4:26`. Parts of a second are left out. @param milliseconds from the start */
export function runClock(milliseconds: number): string {
	return clockText(Math.floor(milliseconds / 1000) * 1000);
}

/** The three figures of the wall. */
export function wallFigures({ result, figures }: ShownRun) {
	const { busiest, rejectedShare, done, lastDone } = figures;
	const clients = result.clients.length;
	return [
		{ value: String(busiest === undefined ? 0 : totalOf(busiest)), label: 'requests in the busiest second' },
		{ value: percentText(rejectedShare), label: 'rejected', isBad: rejectedShare > 0 },
		done === clients && lastDone !== undefined
			? { value: runClock(lastDone), label: 'until the last client was done' }
			: { value: `${done} of ${clients}`, label: 'clients got all lookups' }
	];
}

/** What the client of a seat did in a wave. @param client its number, from 0 */
export function clientText({ result }: ShownRun, client: number): string {
	const own = result.clients[client];
	if (own === undefined) return '';
	const sent = `Your client sent ${countText(own.requests, 'request')}, and ${own.rejected} of them ${own.rejected === 1 ? 'was' : 'were'} rejected.`;
	if (own.doneAt !== undefined) return `${sent} It was done after ${runClock(own.doneAt)}.`;
	return own.lost > 0
		? `${sent} It gave up ${own.lost} of ${countText(fleetLookups, 'lookup')}.`
		: `${sent} It was not done within an hour.`;
}
