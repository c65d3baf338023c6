import { parameter } from '../exchanges.ts';
import { judgeChecks, judgeWrong } from '../judge.ts';
import type { RuleCode } from '../rule.ts';

/** What makes a token narrower than the one that it is exchanged for. */
const narrowing = ['scope', 'resource', 'audience'] as const;

/** Rules about tokens that are exchanged (RFC 8693). */
export const delegationRules: readonly RuleCode[] = [
	{
		id: 'delegation.narrow',
		dialect: 'standard',
		severity: 2,
		judge({ all }) {
			const exchanges = all.filter(({ kind, ok }) => kind === 'token_exchange' && ok);
			const wide = exchanges.filter(({ entry }) => narrowing.every((name) => parameter(entry, name) === undefined));
			return judgeWrong(wide, exchanges);
		}
	},
	{
		id: 'delegation.not_widened',
		dialect: 'standard',
		severity: 3,
		judge: (run) => judgeChecks(run, ['token.scope_narrowed'])
	}
];
