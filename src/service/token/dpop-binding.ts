import { check, type Check, inSandboxes, speaksStandard, when, whenStandard } from '../core/runner.ts';
import { ProtocolError } from '../core/errors.ts';
import { checkReplay, proofChecks } from './dpop-proof.ts';
import { invalidateCode } from './grants/code-errors.ts';
import type { TokenContext } from './token-context.ts';
import type { UserClaims } from './tokens.ts';

/** The proof of a token request (RFC 9449, section 5). The setting of a client requires one. */
export const tokenProofChecks: readonly Check<TokenContext>[] = inSandboxes(speaksStandard, [
	...proofChecks<TokenContext>(
		() => true,
		({ application }) => application.dpop_bound_access_tokens === true
	),
	...when<TokenContext>(({ proof }) => proof !== undefined, [checkReplay])
]);

/** Codes and refresh tokens that are bound to a key work with a proof of this key only (RFC 9449, sections 5 and 10). */
export const boundKeyCheck = whenStandard<TokenContext>(
	({ boundKey }) => boundKey !== undefined,
	[
		check('token.dpop_key_matches', async (context) => {
			const { boundKey = '', proof, grantType } = context;
			const found = proof?.jkt;
			if (found === boundKey) return context.compare(found, [boundKey]);
			if (grantType === 'authorization_code') await invalidateCode(context);
			throw new ProtocolError('invalid_grant', 'It is bound to a key. Send a DPoP proof of the same key.', {
				cause: found === undefined ? 'no_proof' : 'other_key',
				received: [found ?? '(no proof)'],
				expected: [boundKey]
			});
		})
	]
);

/** A refresh token of a client without a secret is bound to the key. Other clients prove who they are (RFC 9449, section 5). */
export function refreshClaims({ isAuthenticated }: TokenContext, claims: UserClaims): UserClaims {
	const { jkt: _, ...others } = claims;
	return isAuthenticated ? others : claims;
}
