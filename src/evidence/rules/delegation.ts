import { parameter } from '../exchanges.ts';
import { judgeChecks, judgeWrong } from '../judge.ts';
import { countOf, type Rule } from '../rule.ts';

/** What makes a token narrower than the one that it is exchanged for. */
const narrowing = ['scope', 'resource', 'audience'] as const;

/** Rules about tokens that are exchanged (RFC 8693). */
export const delegationRules: readonly Rule[] = [
	{
		id: 'delegation.narrow',
		area: 'delegation',
		dialect: 'standard',
		title: 'Exchanged tokens are for less',
		severity: 2,
		needs: 'a token exchange',
		sections: ['RFC 8693 §2.1'],
		fix: 'Name the scopes that the next call needs, and its resource.',
		failed: (count) => `${countOf(count, 'exchange')} asked for all that the first token allows, everywhere.`,
		judge({ all }) {
			const exchanges = all.filter(({ kind, ok }) => kind === 'token_exchange' && ok);
			const wide = exchanges.filter(({ entry }) => narrowing.every((name) => parameter(entry, name) === undefined));
			return judgeWrong(wide, exchanges);
		}
	},
	{
		id: 'delegation.not_widened',
		area: 'delegation',
		dialect: 'standard',
		title: 'Exchanges ask for nothing that the first token lacks',
		severity: 3,
		needs: 'a token exchange',
		sections: ['RFC 8693 §2.1'],
		fix: 'Ask for some of the scopes of the first token. Let the first application ask the user for more.',
		failed: (count) => `${countOf(count, 'exchange')} asked for a scope that the first token lacks.`,
		judge: (run) => judgeChecks(run, ['token.scope_narrowed'])
	}
];
