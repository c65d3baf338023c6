import type { TraceLine } from '#api/control/traffic.ts';
import type { DialectName } from '#api/dialect.ts';
import type { RequestKind } from '../request-kinds.ts';
import { authorizationMistakes } from './authorization.ts';
import { set } from '../draft.ts';
import { labeled, rejectedBy, type Mistake, type MistakeCode, type Rejection, type Tolerance } from './mistake.ts';
import { resourceMistakes } from './resource.ts';
import { signedMistakes } from './signed.ts';
import { tokenMistakes } from './token.ts';

const revocation = ['revoke'] as const;
const knownToken = rejectedBy('revoke.token_known');

/** Mistakes of the revocation request (specification, section 4). */
const revocationMistakes: readonly MistakeCode[] = [
	{
		id: 'access_token',
		kinds: revocation,
		dialect: 'specification',
		change: (draft, { accessToken }) => set(draft, 'token', accessToken),
		expect: knownToken
	},
	{
		id: 'wrong_client',
		kinds: revocation,
		dialect: 'specification',
		change: (draft, { other }) => set(draft, 'client_id', other.client_id),
		expect: rejectedBy('revoke.token_issued_to_client')
	},
	{
		id: 'revoked_twice',
		kinds: revocation,
		dialect: 'specification',
		times: 2,
		change: (draft) => draft,
		expect: knownToken
	},
	{
		id: 'missing_client',
		kinds: revocation,
		dialect: 'specification',
		change: (draft) => set(draft, 'client_id', undefined),
		expect: rejectedBy('revoke.parameters_present', 'missing_parameter')
	}
];

/** The common mistakes of all kinds of request. */
export const mistakes: readonly Mistake[] = [
	...authorizationMistakes,
	...tokenMistakes,
	...signedMistakes,
	...resourceMistakes,
	...revocationMistakes
].map(labeled);

/** The mistakes of a kind of request that a dialect has. */
export function mistakesOf(kind: RequestKind, dialect: DialectName): readonly Mistake[] {
	return mistakes.filter(({ kinds, dialect: only = dialect }) => kinds.includes(kind) && only === dialect);
}

/** Whether the trace of a request shows what its mistake announced, and the check that decided otherwise. */
export function judge(expected: Rejection | Tolerance, trace: readonly TraceLine[]) {
	const failed = trace.find(({ outcome }) => outcome === 'failed');
	if ('why' in expected)
		return { isAsExpected: trace.some(({ id }) => id === expected.check) && failed?.id !== expected.check, failed };
	return { isAsExpected: failed?.id === expected.check && (expected.cause ?? failed.cause) === failed.cause, failed };
}
