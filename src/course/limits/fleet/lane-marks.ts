import type { FleetOutcome, FleetRequest } from '../engine/fleet.ts';
import { xOf, type TimeAxis } from '../engine/time-axis.ts';

/** What is drawn of a request. */
export type ShownRequest = Pick<FleetRequest, 'at' | 'client' | 'outcome'>;

/** The outline of marks, as SVG paths. */
export type Marks = Readonly<Record<FleetOutcome, string>>;

/** Above this number of clients, a lane is a group. */
const mostLanes = 40;

/** How many clients share a lane. */
export function laneSize(clients: number): number {
	if (clients <= mostLanes) return 1;
	return clients <= 100 ? 5 : 10;
}

const shapes: Record<FleetOutcome, (x: number, y: number, size: number) => string> = {
	accepted: (x, y) => `M${x} ${y}h.01`,
	rejected: (x, y, size) => `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`,
	blacklisted: (x, y, size) => `M${x - size} ${y}h${2 * size}`
};

/**
 * The marks of single clients: a dot, a cross, and a line for no response. Marks at the same pixel are drawn once.
 * @param height of a lane, in pixels
 */
export function marksOf(requests: readonly ShownRequest[], axis: TimeAxis, width: number, height: number): Marks {
	const marks: Record<FleetOutcome, string> = { accepted: '', rejected: '', blacklisted: '' };
	const drawn = new Set<string>();
	const size = Math.min(height / 3, 1 + height / 8);
	for (const { at, client, outcome } of requests) {
		const x = Math.round(xOf(at, axis, width));
		const key = `${client} ${x} ${outcome}`;
		if (drawn.has(key)) continue;
		drawn.add(key);
		marks[outcome] += shapes[outcome](x, (client + 0.5) * height, size);
	}
	return marks;
}

/** The cells of one darkness. */
export type Cells = { readonly outcome: FleetOutcome; readonly opacity: number; readonly path: string };

/** Width of a cell, in pixels. */
const cell = 4;
const outcomes: readonly FleetOutcome[] = ['accepted', 'rejected', 'blacklisted'];
const levels = [0.25, 0.5, 0.75, 1];

/**
 * The requests of groups: accepted ones in the upper half of a lane, the others below. The darkness is the count, and the darkest
 * cells have one request of each client.
 */
export function cellsOf(
	requests: readonly ShownRequest[],
	axis: TimeAxis,
	width: number,
	height: number,
	size: number
): Cells[] {
	const counts = new Map<number, { outcome: FleetOutcome; x: number; y: number; count: number }>();
	for (const { at, client, outcome } of requests) {
		const column = Math.floor(xOf(at, axis, width) / cell);
		const lane = Math.floor(client / size);
		// A number, because there are many requests.
		const key = (lane * width + column) * outcomes.length + outcomes.indexOf(outcome);
		const known = counts.get(key);
		if (known) known.count++;
		else
			counts.set(key, {
				outcome,
				x: column * cell,
				y: (lane + (outcome === 'accepted' ? 0.1 : 0.5)) * height,
				count: 1
			});
	}
	const paths = new Map<string, { outcome: FleetOutcome; opacity: number; parts: string[] }>();
	for (const { outcome, x, y, count } of counts.values()) {
		const opacity = levels.find((level) => count <= level * size) ?? 1;
		const key = `${outcome} ${opacity}`;
		const path = paths.get(key) ?? { outcome, opacity, parts: [] };
		path.parts.push(`M${x} ${y.toFixed(1)}h${cell}v${(height * 0.38).toFixed(1)}h-${cell}z`);
		paths.set(key, path);
	}
	return [...paths.values()].map(({ outcome, opacity, parts }) => ({ outcome, opacity, path: parts.join('') }));
}
