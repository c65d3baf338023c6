import type { CheckId } from '#api/checks.ts';
import { checkOf, failedAt, passed as passedAt } from '../exchanges.ts';
import type { Facts } from '../facts.ts';
import { failed, judgeChecks, notShown, passed } from '../judge.ts';
import { countOf, type Judgment, type RuleCode } from '../rule.ts';
import type { ClientRun } from '../run.ts';
import { groupBy } from './refreshes.ts';

type Row = Pick<RuleCode, 'id' | 'severity'> & {
	/** The checks of the service that reject the mistake. */
	readonly checks: readonly [CheckId, ...CheckId[]];
};

const nonceCheck = 'dpop.nonce_current';
const isAccepted = ({ entry }: Facts): boolean => passedAt(entry, nonceCheck);
/** Without a response, the client has learned no nonce. */
const isRejected = ({ entry, status }: Facts): boolean => failedAt(entry, nonceCheck) && status !== undefined;
const isMissing = ({ entry }: Facts): boolean => checkOf(entry, nonceCheck)?.cause === 'missing_nonce';

/** The exchanges of each key at the authorization server and at the resources. The trace names the key. */
function byKey({ checked }: ClientRun): readonly (readonly Facts[])[] {
	const groups = groupBy(checked(nonceCheck), ({ entry }) => {
		const key = checkOf(entry, 'dpop.proof_readable')?.detail;
		return key && `${key} ${entry.endpoint === 'token' || entry.endpoint === 'par' ? 'server' : 'resource'}`;
	});
	return [...groups.values()];
}

/** Several processes with one key learn the nonce one by one. So many requests without it are more. */
const mostProcesses = 4;

/** The requests of a key that show that nonces are ignored: those that were not sent again with one, or all, each of which was. */
function judgeKey(requests: readonly Facts[]): Judgment {
	const left = requests.filter(isAccepted);
	const rejected = requests.filter(isRejected);
	const count = left.length;
	const open = rejected.filter(({ entry }) => {
		const isAgain = (one: Facts) => one.begin >= entry.at && one.entry.request.target === entry.request.target;
		const at = left.findIndex(isAgain);
		if (at >= 0) left.splice(at, 1);
		return at < 0;
	});
	// A user may have left before one was sent again.
	if (open.length > (count === 0 ? 0 : 1)) {
		const text = `${countOf(open.length, 'request')} got use_dpop_nonce, and ${open.length === 1 ? 'was' : 'were'} not sent again with the nonce.`;
		return failed(open, { text });
	}
	const missing = rejected.filter((one) => isMissing(one) && !open.includes(one));
	const isHabit = missing.length > mostProcesses && missing.length * 2 > count;
	const text = `${countOf(missing.length - 1, 'request')} had no nonce although the service had sent one before.`;
	return isHabit ? failed(missing.slice(1), { text }) : passed(requests.filter(isAccepted));
}

/** The first request of a client cannot know the nonce. It is sent again, and further ones have it. */
function judgeNonce(run: ClientRun): Judgment {
	const judgments = byKey(run).map(judgeKey);
	const of = (wanted: Judgment['verdict']) => judgments.find(({ verdict }) => verdict === wanted);
	return of('failed') ?? of('passed') ?? notShown;
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
