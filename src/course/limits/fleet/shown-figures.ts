import { countText } from '#lib/count-text.ts';
import type { FleetOutcome } from '../engine/fleet.ts';
import { totalOf, type ShownRun } from '../engine/fleet-figures.ts';
import { percentText, runTime } from '../engine/fleet-finding.ts';
import { noBlacklist } from '../engine/fleet-setup.ts';
import type { OwnClient } from '../engine/own-client.ts';
import type { Tone } from '#ui/display/status-tone.ts';

/** A figure below a chart. */
export type Figure = { readonly label: string; readonly value: string; readonly hint: string; readonly tone?: Tone };

/** The four figures below a chart. */
export function fleetFigures({ result, figures }: ShownRun): Figure[] {
	const { fleet, clients } = result;
	const busiest = figures.busiest === undefined ? 0 : totalOf(figures.busiest);
	const lookups = countText(clients.length * fleet.lookups, 'lookup');
	const isDone = figures.done === clients.length;
	return [
		{
			label: 'Busiest second',
			value: countText(busiest, 'request'),
			hint: `at ${runTime((figures.busiest?.second ?? 0) * 1000)}`
		},
		rejectedFigure('Rejected', result.requests),
		isDone && figures.lastDone !== undefined
			? { label: 'Last client done', value: runTime(figures.lastDone), hint: lookups }
			: {
					label: 'Clients done',
					value: `${figures.done} of ${clients.length}`,
					hint: `${figures.accepted} of ${lookups}`,
					tone: 'error'
				},
		{ label: 'Requests per lookup', value: figures.perLookup?.toFixed(1) ?? '–', hint: '1.0 is the least' }
	];
}

/** The four figures where the user's own client is in the chart. */
export function ownFigures({ requests }: OwnClient, { result }: ShownRun): Figure[] {
	const accepted = requests.filter(({ outcome }) => outcome === 'accepted');
	const { blacklistAfter } = result.fleet;
	return [
		rejectedFigure('You, rejected', requests),
		rejectedFigure('The others, rejected', result.requests),
		{
			label: 'You, last accepted',
			value: accepted.length === 0 ? '–' : runTime(accepted.at(-1)?.at ?? 0),
			hint: countText(accepted.length, 'accepted request')
		},
		blacklistAfter < noBlacklist
			? { label: 'Blacklist', value: `At ${blacklistAfter}`, hint: 'rejected in one window', tone: 'caution' }
			: { label: 'Blacklist', value: 'Off', hint: 'in this simulation' }
	];
}

/** Requests of a blacklisted address get no response, so they are counted apart, as in the chart. */
function rejectedFigure(label: string, requests: readonly { readonly outcome: FleetOutcome }[]): Figure {
	const countOf = (wanted: FleetOutcome) => requests.filter(({ outcome }) => outcome === wanted).length;
	const [rejected, lost] = [countOf('rejected'), countOf('blacklisted')];
	const others = lost === 0 ? '' : `, ${lost.toLocaleString('en')} without a response`;
	const hint = `${rejected.toLocaleString('en')} of ${countText(requests.length, 'request')}${others}`;
	const share = requests.length === 0 ? 0 : rejected / requests.length;
	return { label, value: percentText(share), hint, ...(rejected + lost > 0 && { tone: 'error' as const }) };
}
