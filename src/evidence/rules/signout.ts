import { endedGrants } from '../exchanges.ts';
import { failed, judgeProbes, notShown, passed } from '../judge.ts';
import type { Judgment, Rule } from '../rule.ts';
import { marksOf, refreshTokensBefore, type ClientRun } from '../run.ts';

const area = 'signout';

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
export const signOutRules: readonly Rule[] = [
	{
		id: 'signout.revoke',
		area,
		title: 'Sign-out revokes access',
		severity: 2,
		needs: 'the exam with offline access and a sign-out',
		sections: ['§ 4'],
		fix: 'Revoke with the refresh token, then delete it.',
		failed: () => 'Access was not revoked.',
		judge: judgeRevocation,
		standard: {
			needs: 'the exam with a refresh token and a sign-out',
			sections: ['RFC 7009 §2.1'],
			fix: 'Send the refresh token to the revocation endpoint, then delete it.'
		}
	},
	{
		id: 'signout.no_use_after',
		area,
		title: 'Revoked tokens are deleted',
		severity: 2,
		needs: 'a revocation, and a request after it',
		sections: ['§ 5.4'],
		fix: 'Delete the stored tokens before you send the revocation.',
		failed: () => 'A token was used after its revocation.',
		judge: judgeUseAfter,
		standard: { sections: ['RFC 7009 §2'] }
	}
];
