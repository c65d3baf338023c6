import type { CheckId } from '#api/checks.ts';
import { checkOf, passed } from '../exchanges.ts';
import type { Facts } from '../facts.ts';
import { failed, judgeChecks, judgeWrong } from '../judge.ts';
import { countOf, type Judgment, type Rule } from '../rule.ts';
import type { ClientRun } from '../run.ts';
import { groupBy } from './refreshes.ts';

type Row = Pick<Rule, 'id' | 'title' | 'severity' | 'sections' | 'fix' | 'failed'> & {
	/** The checks of the service that reject the mistake. */
	readonly checks: readonly [CheckId, ...CheckId[]];
	/** What the client must have done before the rule can judge. Absent: it sends proofs. */
	readonly needs?: string;
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
	{
		id: 'dpop.new_proof',
		title: 'Each request has its own proof',
		checks: ['dpop.not_replayed'],
		severity: 2,
		sections: ['RFC 9449 §11.1'],
		fix: 'Sign a new proof for each request, with a new jti, also for a retry.',
		failed: (count) => `${countOf(count, 'request')} had a proof that was used before.`
	},
	{
		id: 'dpop.this_request',
		title: 'Proofs name the method and the URL of their request',
		checks: ['dpop.url_matches', 'dpop.method_matches'],
		severity: 3,
		sections: ['RFC 9449 §4.2'],
		fix: 'Set htm to the method and htu to the URL of this request, without query and fragment.',
		failed: (count) => `${countOf(count, 'request')} had a proof for another method or URL.`
	},
	{
		id: 'dpop.this_token',
		title: 'Proofs at resources name their access token',
		checks: ['dpop.token_hash_matches'],
		severity: 2,
		needs: 'a call with a token that is bound to a key',
		sections: ['RFC 9449 §7.1'],
		fix: 'Set ath to the digest of the access token that is sent, also after a refresh.',
		failed: (count) => `${countOf(count, 'call')} had a proof without this token in ath.`
	},
	{
		id: 'dpop.clock',
		title: 'Proofs are dated in seconds, by the right clock',
		checks: ['dpop.time_valid'],
		severity: 3,
		sections: ['RFC 9449 §11.1'],
		fix: 'Set iat to the current time in seconds, and correct it by the header Date of the service.',
		failed: (count) => `${countOf(count, 'request')} had a proof that was too old, or from the future.`
	},
	{
		id: 'dpop.scheme',
		title: 'Bound tokens are sent with the scheme DPoP',
		checks: ['access_token.scheme_fits'],
		severity: 2,
		needs: 'a call with a token that is bound to a key',
		sections: ['RFC 9449 §7.1'],
		fix: 'Use the token_type of the token response as the scheme of the Authorization header.',
		failed: (count) => `${countOf(count, 'call')} had another scheme than the token_type says.`
	},
	{
		id: 'dpop.one_key',
		title: 'One key signs for all tokens of a sign-in',
		checks: ['access_token.key_proven', 'token.dpop_key_matches'],
		severity: 2,
		needs: 'a code or token that is bound to a key, and is used',
		sections: ['RFC 9449 §5'],
		fix: 'Keep the key pair as long as the tokens, and sign all proofs of a sign-in with it.',
		failed: (count) => `${countOf(count, 'request')} had no proof of the key that the code or token is bound to.`
	}
];

/** Rules about tokens that are bound to a key (RFC 9449). */
export const dpopRules: readonly Rule[] = [
	...rows.map(({ checks, needs = 'requests with DPoP proofs', ...row }): Rule => ({
		...row,
		needs,
		area: 'dpop',
		dialect: 'standard',
		judge: (run) => judgeChecks(run, checks)
	})),
	{
		id: 'dpop.nonce',
		area: 'dpop',
		dialect: 'standard',
		title: 'The nonce of the service is in each further proof',
		severity: 2,
		needs: 'requests with DPoP proofs, in a sandbox with the setting dpop_nonce',
		sections: ['RFC 9449 §8.2'],
		fix: 'Keep the newest DPoP-Nonce of each server. At use_dpop_nonce, send the request once more with a new proof.',
		failed: (count) =>
			`${countOf(count, 'request')} had no nonce although the service had sent one, or were not repeated.`,
		judge: judgeNonce
	}
];
