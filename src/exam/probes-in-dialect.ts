import type { DialectName } from '#api/dialect.ts';
import { type JudgedProvider, leftOutReason, rulesIn } from '#evidence/provider-rules.ts';
import type { ProbeDescription } from './probe-description.ts';
import { probeList } from './probe-list.ts';

/** The probes of a dialect, in the order of their groups, without those whose rules it or the provider leaves out. */
export function probesIn(dialect: DialectName, provider?: JudgedProvider): readonly ProbeDescription[] {
	const judged = rulesIn(dialect, provider).filter((rule) => leftOutReason(rule, dialect, provider) === undefined);
	const ids = new Set(judged.map(({ id }) => id));
	return probeList
		.filter(({ judges }) => judges.length === 0 || judges.some((rule) => ids.has(rule)))
		.map((probe) => (dialect === 'standard' ? { ...probe, legal: probe.legalInStandard ?? probe.legal } : probe));
}
