import { decodePercent } from '#lib/percent.ts';
import type { Context } from '../core/context.ts';
import { findKind, isWrite, recordIdOf } from '../core/kind-of-request.ts';
import { findTestCard } from '../sandbox/test-cards.ts';

/** What follows `/ws/v2.0/character/` in the path of a request. */
export function nameSegment({ path }: Context): string {
	return path.replace(/\/$/, '').split('/').slice(4).join('/');
}

/** The name of a character that a path ends with; undefined where it is malformed or more than one segment. */
export function readNameSegment(context: Context): string | undefined {
	const segment = nameSegment(context);
	return segment.includes('/') ? undefined : decodePercent(segment, false);
}

/** How many requests this one counts as: more than one for the slow test card, where the sandbox says so, and what the world says of its kinds. */
export function requestCost(context: Context): number {
	const kind = findKind(context);
	if (kind !== undefined)
		return kind.cost[isWrite(context) ? 'write' : recordIdOf(context) === undefined ? 'list' : 'item'];
	const { slow_cost: cost } = context.sandbox.state.settings.limits;
	if (cost === 1 || context.route.name !== 'character') return 1;
	return findTestCard(context, 'character', readNameSegment(context))?.outcome === 'slow' ? cost : 1;
}
