import { countText } from '#lib/count-text.ts';
import { herdOf, shownRun, type FleetFigures, type ShownRun } from './fleet-figures.ts';
import { runFleet } from './fleet.ts';
import { fleetOf, lookupsOfClient, type FleetQuestion, type FleetSetup } from './fleet-setup.ts';
import { retryPolicies } from './retry-policies.ts';

/** What a fleet shows, in words. All numbers are those of its run. Code is between backticks. */
export type FleetFinding = {
	readonly title: string;
	readonly text: string;
	/** What follows from it. */
	readonly advice?: string;
	/** What to try next. */
	readonly next?: { readonly label: string; readonly change: Partial<FleetSetup> };
};

/**
 * A time of a run: `46 s`, `1 min`, `5 min 5 s`.
 * @param milliseconds from the start. Parts of a second are left out
 */
export function runTime(milliseconds: number): string {
	const seconds = Math.floor(milliseconds / 1000);
	const minutes = Math.floor(seconds / 60);
	if (minutes === 0) return `${seconds} s`;
	return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/** A share, as whole percent. Only nothing is 0 %, and only all is 100 %. */
export function percentText(share: number): string {
	const percent = Math.round(share * 100);
	if (percent === 100 && share < 1) return 'over 99 %';
	return percent === 0 && share > 0 ? 'under 1 %' : `${percent} %`;
}

const limitText = ({ limit, window }: FleetSetup): string => `${limit} per ${window} s`;
const doneText = ({ lastDone }: FleetFigures): string =>
	lastDone === undefined ? 'never' : `after ${runTime(lastDone)}`;
const tryJitter = { label: 'Try jitter above the reset', change: { policy: 'jitter_above' } } as const;
const ownAddresses = { label: 'Give each client its own address', change: { address: 'own' } } as const;

/**
 * What a run shows.
 * @param other the run that it is compared with
 */
export function findingOf({ id, setup }: FleetQuestion, run: ShownRun, other?: ShownRun): FleetFinding {
	const { figures, result } = run;
	if (other !== undefined) return compared(figures, other.figures);
	if (result.blacklistedAt !== undefined) return blacklisted(setup, figures, result.blacklistedAt);
	if (figures.rejected === 0) {
		const text = `All ${countText(figures.requests, 'request')} were accepted, and the last client was done ${doneText(figures)}.`;
		return { title: 'No request is rejected', text };
	}
	if (id === 'shared-address' && setup.address === 'shared') return shared(setup, figures);
	return byPolicy(setup, run);
}

const countOrNone = (count: number): string => (count === 0 ? 'none' : count.toLocaleString('en'));

function compared(a: FleetFigures, b: FleetFigures): FleetFinding {
	const more = a.rejected - b.rejected;
	const difference =
		more === 0
			? `Both have ${countText(a.rejected, 'rejected request')}.`
			: `${more > 0 ? 'A' : 'B'} has ${countText(Math.abs(more), 'more rejected request', 'more rejected requests')}.`;
	const done = `The last client is done ${doneText(a)} with A, ${doneText(b)} with B.`;
	if (a.early === 0 && b.early === 0) return { title: 'Both wait for the reset', text: `${difference} ${done}` };
	return {
		title: 'No retry before the reset is accepted',
		text: `A sends ${countOrNone(a.early)} of them, B ${countOrNone(b.early)}. ${difference} ${done}`,
		advice: 'Jitter belongs above the reset: wait for `Retry-After`, then add a random time.'
	};
}

function blacklisted({ blacklist }: FleetSetup, { patient }: FleetFigures, at: number): FleetFinding {
	const others = patient === 0 ? '' : ` ${patient} of them never retried before the reset.`;
	return {
		title: patient === 0 ? 'The address is blacklisted' : 'Waiting does not protect them',
		text: `At ${runTime(at)} the address had ${countText(blacklist, 'rejected request')} in one window. No client behind it gets a response now.${others}`,
		advice: 'This does not expire. Only a support ticket ends it.',
		next: ownAddresses
	};
}

function shared(setup: FleetSetup, figures: FleetFigures): FleetFinding {
	const alone = shownRun(runFleet(fleetOf({ ...setup, clients: 1 }, setup.policy))).figures;
	return {
		title: 'All of them use one limit',
		text: `Requests are counted by public address. Alone, a client is done ${doneText(alone)}. Here ${setup.clients} clients share ${limitText(setup)}, and the last one is done ${doneText(figures)}.`,
		next: ownAddresses
	};
}

function byPolicy(setup: FleetSetup, { result, figures }: ShownRun): FleetFinding {
	const { policy, clients } = setup;
	const rejected = percentText(figures.rejectedShare);
	if (policy === 'none') {
		const all = clients * lookupsOfClient;
		return {
			title: 'Lookups are lost',
			text: `${figures.lost} of ${all} lookups failed, and no client tried them again.`,
			next: tryJitter
		};
	}
	if (figures.early > 0) {
		return {
			title: 'They retry before the reset',
			text: `${countText(figures.early, 'retry', 'retries')} came before the reset, and none of them can be accepted. Each lookup costs ${(figures.perLookup ?? 0).toFixed(1)} requests.`,
			next: tryJitter
		};
	}
	const herd = herdOf(result);
	if (policy === 'jitter_above') {
		return {
			title: 'The retries arrive apart',
			text: `After the first reset, at most ${countText(herd?.requests ?? 0, 'request')} arrive in one second. Still ${rejected} are rejected, because the limit remains ${limitText(setup)}. Jitter spreads retries. It does not raise the limit.`,
			next: { label: 'Compare with Retry-After', change: { compare: 'retry_after' } }
		};
	}
	if (policy === 'pace') {
		return {
			title: 'Each paces itself as if alone',
			text: `Each client spreads what remains until the reset, but ${clients === 1 ? 'starts' : 'the others use it too, and all start'} at once. ${rejected} of the requests are rejected.`,
			next: setup.address === 'shared' ? ownAddresses : tryJitter
		};
	}
	if (herd === undefined || herd.retries * 2 < clients) {
		const text = `${retryPolicies[policy].label}: ${rejected} of the requests are rejected, and the last client is done ${doneText(figures)}.`;
		return { title: 'They wait for the reset', text, next: tryJitter };
	}
	return {
		title: 'They read the same number',
		text: `Every rejected client gets the same reset in \`Retry-After\`. At ${runTime(herd.at)}, ${herd.retries} of ${clients} clients retry within one second, and ${countText(herd.rejected, 'request is', 'requests are')} rejected again.`,
		next: tryJitter
	};
}
