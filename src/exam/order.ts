import type { DialectName } from '#api/dialect.ts';
import type { ProbeId } from '#api/exam.ts';
import type { JudgedProvider } from '#evidence/provider-rules.ts';
import { seededRandom } from '#lib/seeded-random.ts';
import { allRules } from '#evidence/all-rules.ts';
import { probeGroups, type ProbeDescription } from './probe-description.ts';
import { probesIn } from './probes-in-dialect.ts';

/** Probes that keep their place. A client may be careful for a while after it was blacklisted, so that is the last one. */
const fixed: readonly ProbeId[] = ['warm_up', 'user_revoked', 'signed_out', 'blacklisted'];

/**
 * The probes in the order of a seed. Groups stay together, and keep their order.
 * @param seed 0 to 4,294,967,295. Default: 1
 */
export function orderOf(
	seed = 1,
	dialect: DialectName = 'specification',
	provider?: JudgedProvider
): ProbeDescription[] {
	const random = seededRandom(seed);
	return probeGroups.flatMap((group) => {
		const members = probesIn(dialect, provider).filter((probe) => probe.group === group);
		const free = shuffle(
			members.filter(({ id }) => !fixed.includes(id)),
			random
		);
		return members.map((probe) => (fixed.includes(probe.id) ? probe : (free.shift() ?? probe)));
	});
}

/** Whether a rule is chosen. @param patterns ids of rules, or areas such as `request.*` */
export function matchesRule(patterns: readonly string[], rule: string): boolean {
	return patterns.some((pattern) => (pattern.endsWith('*') ? rule.startsWith(pattern.slice(0, -1)) : pattern === rule));
}

/**
 * The first of these that no rule matches; undefined if there is none.
 * @param patterns ids of rules, or areas
 * @param rules ids of all rules. Default: those about clients
 */
export function unknownRule(
	patterns: readonly string[],
	rules: readonly string[] = allRules.map(({ id }) => id)
): string | undefined {
	return patterns.find((pattern) => !rules.some((id) => matchesRule([pattern], id)));
}

/** The elements in another order. @param random as `Math.random` */
function shuffle<T>(list: readonly T[], random: () => number): T[] {
	return list
		.map((element) => ({ element, at: random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ element }) => element);
}
