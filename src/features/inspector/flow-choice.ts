import type { TrafficEntry } from '#api/control/traffic.ts';
import { timeText } from '#lib/time-text.ts';

/** The exchanges of one authorization request, for a select. */
export type FlowOption = { readonly flow: string; readonly label: string };

/** The flow of exchanges that belong to no authorization request, such as a token request with an unknown code. */
export const noFlow = '';

/** How many flows can be chosen. */
const mostFlows = 50;

/** The flow of an exchange. */
export function flowOf(entry: TrafficEntry): string {
	return entry.flow ?? noFlow;
}

/**
 * The flow that is shown: that of the selected exchange, else the newest.
 * @param entries oldest first
 */
export function shownFlow(entries: readonly TrafficEntry[], selected: TrafficEntry | undefined): string {
	return selected === undefined
		? (entries.findLast(({ flow }) => flow !== undefined)?.flow ?? noFlow)
		: flowOf(selected);
}

/**
 * The flows of a log, newest first: `14:02:11 · Character Viewer · player-one`.
 * @param entries oldest first
 * @param nameOf what an application is called
 */
export function flowOptions(
	entries: readonly TrafficEntry[],
	nameOf: (client_id: string) => string = String
): FlowOption[] {
	const first = new Map<string, TrafficEntry>();
	const users = new Map<string, string>();
	for (const entry of entries) {
		const flow = flowOf(entry);
		if (!first.has(flow)) first.set(flow, entry);
		if (entry.username !== undefined && !users.has(flow)) users.set(flow, entry.username);
	}
	const options = [...first].filter(([flow]) => flow !== noFlow).map(([flow, entry]) => ({ flow, entry }));
	const newest = options.slice(-mostFlows).reverse();
	return [
		...newest.map(({ flow, entry }) => ({
			flow,
			label: flowLabel(entry.at, entry.client_id && nameOf(entry.client_id), users.get(flow))
		})),
		...(first.has(noFlow) ? [{ flow: noFlow, label: 'Requests without a flow' }] : [])
	];
}

/** What a flow is called: `14:02:11 · Character Viewer · player-one`. */
export function flowLabel(at: number, application: string | undefined, username: string | undefined): string {
	return [timeText(at), application, username].filter((part) => part !== undefined).join(' · ');
}
