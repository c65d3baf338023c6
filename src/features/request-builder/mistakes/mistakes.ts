import type { TraceLine } from '#api/control/traffic.ts';
import type { DialectName } from '#api/dialect.ts';
import type { RequestKind } from '../request-kinds.ts';
import { authorizationMistakes } from './authorization.ts';
import { labeled, type Mistake, type Rejection, type Tolerance } from './mistake.ts';
import { resourceMistakes } from './resource.ts';
import { revocationMistakes } from './revocation.ts';
import { signedMistakes } from './signed.ts';
import { tokenMistakes } from './token.ts';

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
