import type { DialectName } from '#api/dialect.ts';
import { leftOutReason, rulesIn } from '#evidence/rules-in-dialect.ts';
import type { ProbeDescription } from './probe-description.ts';
import { probeList } from './probe-list.ts';

/** The probes of a dialect, in the order of their groups, without those whose rules it leaves out. */
export function probesIn(dialect: DialectName): readonly ProbeDescription[] {
	const judged = rulesIn(dialect).filter((rule) => leftOutReason(rule, dialect) === undefined);
	const ids = new Set(judged.map(({ id }) => id));
	return probeList
		.filter(({ judges }) => judges.length === 0 || judges.some((rule) => ids.has(rule)))
		.map((probe) => (dialect === 'standard' ? { ...probe, legal: probe.legalInStandard ?? probe.legal } : probe));
}
