import type { CheckId } from '#api/checks.ts';
import { checkOf, passed } from '../exchanges.ts';
import type { Facts } from '../facts.ts';
import { failed, judgeChecks, judgeWrong } from '../judge.ts';
import type { Judgment, RuleCode } from '../rule.ts';
import type { ClientRun } from '../run.ts';
import { groupBy } from './refreshes.ts';

type Row = Pick<RuleCode, 'id' | 'severity'> & {
	/** The checks of the service that reject the mistake. */
	readonly checks: readonly [CheckId, ...CheckId[]];
};

const isMissing = ({ entry }: Facts): boolean => checkOf(entry, 'dpop.nonce_current')?.cause === 'missing_nonce';

/** The exchanges of each key at the token endpoint and at the resources. The trace names the key. */
function byKey({ checked }: ClientRun): readonly (readonly Facts[])[] {
	const groups = groupBy(checked('dpop.nonce_current'), ({ entry }) => {
		const key = checkOf(entry, 'dpop.proof_readable')?.detail;
		return key && `${key} ${entry.endpoint === 'token' ? 'token' : 'resource'}`;
	});
	return [...groups.values()];
}

/** The first request of a client cannot know the nonce. The next one of the same key does. */
function judgeNonce(run: ClientRun): Judgment {
	const keys = byKey(run);
	const ignored = keys.flatMap((requests) => {
		const [first, ...others] = requests.filter(isMissing);
		if (first === undefined) return [];
		const hasRead = requests.some(({ entry }) => passed(entry, 'dpop.nonce_current'));
		const late = others.filter(({ begin }) => begin > first.entry.at);
		return hasRead ? late : [first, ...late];
	});
	return ignored.length > 0
		? failed(ignored)
		: judgeWrong(
				[],
				keys.flat().filter(({ entry }) => passed(entry, 'dpop.nonce_current'))
			);
}

const rows: readonly Row[] = [
	{ id: 'dpop.new_proof', checks: ['dpop.not_replayed'], severity: 2 },
	{ id: 'dpop.this_request', checks: ['dpop.url_matches', 'dpop.method_matches'], severity: 3 },
	{ id: 'dpop.this_token', checks: ['dpop.token_hash_matches'], severity: 2 },
	{ id: 'dpop.clock', checks: ['dpop.time_valid'], severity: 3 },
	{ id: 'dpop.scheme', checks: ['access_token.scheme_fits'], severity: 2 },
	{ id: 'dpop.one_key', checks: ['access_token.key_proven', 'token.dpop_key_matches'], severity: 2 }
];

/** Rules about tokens that are bound to a key (RFC 9449). */
export const dpopRules: readonly RuleCode[] = [
	...rows.map(({ checks, ...row }): RuleCode => ({
		...row,
		dialect: 'standard',
		judge: (run) => judgeChecks(run, checks)
	})),
	{ id: 'dpop.nonce', dialect: 'standard', severity: 2, judge: judgeNonce }
];
