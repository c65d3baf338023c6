import { foreignRoles, type ForeignRole, type RoleSummary } from './har-reading.ts';

const mostEndpoints = 20;

/** The roles of a file, in the order of a sign-in, with the endpoints of each. */
export function summarizeRoles(
	found: readonly { readonly role: ForeignRole; readonly reason: string; readonly key: string }[]
): RoleSummary[] {
	return foreignRoles.flatMap((role) => {
		const same = found.filter((one) => one.role === role);
		const [first] = same;
		if (first === undefined) return [];
		const counts = new Map<string, number>();
		for (const { key } of same) counts.set(key, (counts.get(key) ?? 0) + 1);
		const endpoints = [...counts].sort(([, one], [, other]) => other - one).slice(0, mostEndpoints);
		return [
			{ role, count: same.length, reason: first.reason, endpoints: endpoints.map(([key, count]) => ({ key, count })) }
		];
	});
}
