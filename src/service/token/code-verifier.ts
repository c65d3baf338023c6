import type { Cause } from '#api/checks.ts';
import { check } from '../core/check.ts';
import { timingSafeEqual } from '../core/encoding.ts';
import { invalidGrant, invalidateCode } from './code-errors.ts';
import type { TokenContext } from './token-context.ts';

/** The proof that the client which exchanges a code is the one that requested it (PKCE, RFC 7636). */
export const checkVerifier = check<TokenContext>('token.code_verifier_matches', async (context) => {
	const { challenge } = context.code;
	const verifier = context.form.get('code_verifier');
	if (verifier !== undefined) context.redact(verifier, 'code_verifier');
	if (challenge === undefined) {
		if (verifier === undefined) return context.note('PKCE is not used');
		await invalidateCode(context);
		throw invalidGrant(
			'code_verifier was sent, but the authorization request had no code_challenge. The code is now invalid.',
			{ cause: 'unexpected_verifier', received: ['code_verifier'], expected: ['no code_verifier'] }
		);
	}
	const computed = verifier === undefined ? '(not sent)' : context.options.digest(verifier);
	const found = verifier === undefined ? computed : `S256 of the verifier: ${computed}`;
	const expected = [`code_challenge: ${challenge}`];
	if (timingSafeEqual(computed, challenge)) return context.compare(found, expected);
	await invalidateCode(context);
	throw invalidGrant(
		'code_verifier is missing or does not match the code_challenge (RFC 7636). The code is now invalid.',
		{
			cause: verifierCause(verifier, challenge),
			received: [found],
			expected
		}
	);
});

function verifierCause(verifier: string | undefined, challenge: string): Cause {
	if (verifier === undefined) return 'missing_verifier';
	if (verifier === challenge) return 'verifier_is_challenge';
	return verifier.length < 43 ? 'verifier_too_short' : 'wrong_verifier';
}
