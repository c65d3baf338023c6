import { judgeChecks } from '../judge.ts';
import type { RuleCode } from '../rule.ts';

/** Rules about requests that the client pushes (RFC 9126). */
export const pushedRules: readonly RuleCode[] = [
	{
		id: 'request.pushed_fresh',
		dialect: 'standard',
		severity: 3,
		// A user can open one link twice.
		judge: (run) => judgeChecks(run, ['auth.request_uri_valid'], 2)
	},
	{
		id: 'request.pushed_alone',
		dialect: 'standard',
		severity: 3,
		judge: (run) => judgeChecks(run, ['auth.request_uri_alone'])
	}
];

/** Rules about assertions that authenticate the client (RFC 7523). */
export const assertionRules: readonly RuleCode[] = [
	{
		id: 'assertion.fresh',
		dialect: 'standard',
		severity: 2,
		judge: (run) => judgeChecks(run, ['client_assertion.not_replayed'])
	},
	{
		id: 'assertion.short',
		dialect: 'standard',
		severity: 2,
		judge: (run) => judgeChecks(run, ['client_assertion.time_valid'])
	},
	{
		id: 'assertion.audience',
		dialect: 'standard',
		severity: 2,
		judge: (run) => judgeChecks(run, ['client_assertion.audience_matches'])
	}
];
