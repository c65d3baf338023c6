import { advice, failed, judgeWrong } from '../judge.ts';
import type { Judgment, RuleCode } from '../rule.ts';
import { lacksChallenge, type ClientRun } from '../run.ts';

function judgePkce({ flows, authorizations, kindOf }: ClientRun): Judgment {
	const rejected = authorizations.filter((one) => kindOf(one.entry.client_id) === 'installed' && lacksChallenge(one));
	if (rejected.length > 0) return failed(rejected);
	const installed = flows.filter(({ request }) => kindOf(request.entry.client_id) === 'installed');
	const open = installed.filter(({ challenge }) => challenge === undefined);
	const byRedirect = open.filter(({ outOfBand }) => !outOfBand).map(({ request }) => request);
	if (byRedirect.length === 0 && open.length > 0) return advice(open.map(({ request }) => request));
	return judgeWrong(
		byRedirect,
		installed.map(({ request }) => request)
	);
}

/** Rules about installed applications. */
export const installedRules: readonly RuleCode[] = [{ id: 'installed.pkce', severity: 1, judge: judgePkce }];
