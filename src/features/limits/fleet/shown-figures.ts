import { countText } from '#api/count-text.ts';
import { totalOf, type ShownRun } from '#limits/fleet-figures.ts';
import { percentText, runTime } from '#limits/fleet-finding.ts';
import { noBlacklist } from '#limits/fleet-setup.ts';
import type { OwnClient } from '#limits/own-client.ts';
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
		rejectedFigure('Rejected', figures.rejected, figures.requests),
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
export function ownFigures({ requests }: OwnClient, { result, figures }: ShownRun): Figure[] {
	const accepted = requests.filter(({ outcome }) => outcome === 'accepted');
	const { blacklistAfter } = result.fleet;
	return [
		rejectedFigure('You, rejected', requests.length - accepted.length, requests.length),
		rejectedFigure('The others, rejected', figures.rejected, figures.requests),
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

function rejectedFigure(label: string, rejected: number, requests: number): Figure {
	const hint = `${rejected.toLocaleString('en')} of ${countText(requests, 'request')}`;
	const share = requests === 0 ? 0 : rejected / requests;
	return { label, value: percentText(share), hint, ...(rejected > 0 && { tone: 'error' as const }) };
}
