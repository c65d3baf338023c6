import { endedGrants } from '../exchanges.ts';
import { failed, judgeProbes, notShown, passed } from '../judge.ts';
import type { Judgment, RuleCode } from '../rule.ts';
import { marksOf, refreshTokensBefore, type ClientRun } from '../run.ts';

const judgeRevocation = (run: ClientRun): Judgment =>
	judgeProbes(marksOf(run, 'signed_out'), (mark) => {
		// A queue may send it later.
		const revoked = run.revocations.filter(({ entry }) => entry.seq >= mark.from && endedGrants(entry).length > 0);
		if (revoked.length > 0) return passed(revoked);
		if (refreshTokensBefore(run, mark.from).size === 0) return notShown;
		return failed(run.calls.filter(({ ok, entry }) => ok && entry.seq < mark.from).slice(-1));
	});

function judgeUseAfter(run: ClientRun): Judgment {
	const { all, calls, history, refreshes, revocations } = run;
	const revoking = revocations.filter(({ entry }) => endedGrants(entry).length > 0);
	for (const revocation of revoking) {
		const flows = endedGrants(revocation.entry).flatMap((grant) =>
			(history.grants.get(grant) ?? []).map(({ entry }) => entry.flow)
		);
		const later = [...calls, ...refreshes].filter(
			({ begin, entry }) => entry.flow !== undefined && flows.includes(entry.flow) && begin > revocation.entry.at + 2000
		);
		if (later.length > 0) return failed(later);
	}
	const isLast = (seq: number) => !all.some(({ kind, entry }) => kind !== 'other' && entry.seq > seq);
	return passed(
		revoking.filter(
			({ entry }) => !isLast(entry.seq) || marksOf(run, 'signed_out').some(({ from }) => from <= entry.seq)
		)
	);
}

/** Rules about the end of a sign-in. */
export const signOutRules: readonly RuleCode[] = [
	{ id: 'signout.revoke', severity: 2, judge: judgeRevocation },
	{ id: 'signout.no_use_after', severity: 2, judge: judgeUseAfter }
];
