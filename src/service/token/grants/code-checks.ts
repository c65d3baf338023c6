import { check } from '../../core/check.ts';
import { damageOf, redactCredential } from '../../core/damaged-value.ts';
import { ProtocolError, type ErrorDetails } from '../../core/errors.ts';
import { codeDamage, originalOf } from '../../core/hard-code.ts';
import { matchesRegistered } from '../../sandbox/redirect-uris.ts';
import { rateLimitDate } from '../../core/time.ts';
import { invalidateCode, invalidGrant, requireActiveGrant, revokeOnReplay, unknownCode } from './code-errors.ts';
import type { TokenContext } from '../token-context.ts';
import type { Cause } from '#api/checks.ts';
import { timingSafeEqual } from '../../core/encoding.ts';

const requireCode = check<TokenContext>('token.code_present', (context) => {
	const code = context.form.get('code');
	if (code === undefined) throw new ProtocolError('invalid_request', 'The field code is missing.');
	context.credentialDigest = context.digestOf(redactCredential(context, code, 'code'));
});

const findCode = check<TokenContext>('token.code_known', async (context) => {
	const code = await context.store.get('code', context.credentialDigest);
	if (code === undefined) throw unknownCode(await damageOfCode(context));
	context.code = code;
	context.grantedResources = code.resources;
	({ flow: context.flow, grant: context.grantId } = code);
});

/** Why the code of a request is unknown, where its form tells. */
async function damageOfCode(context: TokenContext): Promise<ErrorDetails> {
	const sent = context.form.get('code') ?? '';
	const original = originalOf(sent);
	const isIssued =
		original !== undefined && (await context.store.get('code', context.options.digest(original))) !== undefined;
	return isIssued ? { cause: codeDamage(sent, original) } : damageOf(sent);
}

const checkClient = check<TokenContext>('token.code_issued_to_client', (context) => {
	const [received, expected] = [[context.application.client_id], [context.code.client_id]];
	if (context.code.client_id !== context.application.client_id) throw unknownCode({ received, expected });
	context.compare(context.application.client_id, expected);
	context.username = context.code.username;
});

const checkUnused = check<TokenContext>('token.code_not_used', async (context) => {
	if (context.code.consumedBy !== undefined) throw await revokeOnReplay(context, context.code);
});

const checkNotExpired = check<TokenContext>('token.code_not_expired', async (context) => {
	const found = `exchanged at ${rateLimitDate(Math.floor(context.now() / 1000))}`;
	const expected = [`before ${rateLimitDate(Math.ceil(context.code.validUntil / 1000))}`];
	const left = context.code.validUntil - context.now();
	if (left > 0) {
		context.note(`${Math.ceil(left / 1000)} s left`);
		return context.compare(found, expected);
	}
	await invalidateCode(context, 'expired');
	throw invalidGrant('The code has expired. Send the user to the authorization endpoint again.', {
		received: [found],
		expected
	});
});

const checkRedirectUri = check<TokenContext>('token.redirect_uri_matches', async (context) => {
	const sent = context.form.get('redirect_uri');
	if (sent === context.code.redirect_uri) return context.compare(sent, [context.code.redirect_uri]);
	const expected = [context.code.redirect_uri];
	if (sent === undefined && context.dialect.redirectUri?.optional === true) return context.note('Not sent');
	// A request without a required parameter proves nothing about the client, so the code stays (RFC 6749, section 5.2).
	if (sent === undefined)
		throw new ProtocolError('invalid_request', 'redirect_uri is missing. Send the one of the authorization request.', {
			cause: 'missing_field',
			received: ['(not sent)'],
			expected
		});
	await invalidateCode(context);
	throw invalidGrant(
		'redirect_uri is not the one of the authorization request. The code is now invalid. Request a new one.',
		{ cause: 'different', received: [sent], expected }
	);
});

const checkRegistered = check<TokenContext>('token.redirect_uri_registered', async (context) => {
	const { redirect_uris } = context.application;
	if (matchesRegistered(context.application, context.code.redirect_uri, context.dialect, context.weaknesses))
		return context.compare(context.code.redirect_uri, redirect_uris);
	await invalidateCode(context);
	throw invalidGrant('The redirect_uri of this code is no longer registered. The code is now invalid.', {
		received: [context.code.redirect_uri],
		expected: redirect_uris
	});
});

const checkGrant = check<TokenContext>('token.grant_active', async (context) => {
	await requireActiveGrant(context);
});

/** The proof that the client which exchanges a code is the one that requested it (PKCE, RFC 7636). */
const checkVerifier = check<TokenContext>('token.code_verifier_matches', async (context) => {
	const { challenge } = context.code;
	const verifier = context.form.get('code_verifier');
	if (verifier !== undefined) context.redact(verifier, 'code_verifier');
	if (challenge === undefined) {
		if (context.weaknesses.has('challenge_optional')) return context.note('No code_challenge: nothing is compared');
		if (verifier === undefined && context.isAuthenticated) return context.note('PKCE is not used');
		if (verifier === undefined) {
			await invalidateCode(context);
			throw invalidGrant(
				'The authorization request had no code_challenge, and the client sent no secret. The code is now invalid.',
				{ cause: 'nothing_proven', received: ['no secret, no PKCE'], expected: ['code_verifier or client_secret'] }
			);
		}
		await invalidateCode(context);
		throw invalidGrant(
			'code_verifier was sent, but the authorization request had no code_challenge. The code is now invalid.',
			{ cause: 'unexpected_verifier', received: ['code_verifier'], expected: ['no code_verifier'] }
		);
	}
	const computed = verifier === undefined ? '(not sent)' : context.options.digest(verifier);
	const found = verifier === undefined ? computed : `S256 of the verifier: ${computed}`;
	const expected = [`code_challenge: ${challenge}`];
	const formCause = verifier === undefined ? undefined : verifierFormCause(verifier);
	if (timingSafeEqual(computed, challenge) && formCause === undefined) return context.compare(found, expected);
	await invalidateCode(context);
	throw invalidGrant(
		formCause === undefined
			? 'code_verifier is missing or does not match the code_challenge (RFC 7636). The code is now invalid.'
			: 'code_verifier needs 43 to 128 letters, digits, hyphens, periods, underscores or tildes (RFC 7636). The code is now invalid.',
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
	return verifierFormCause(verifier) ?? 'wrong_verifier';
}

/** What is wrong with the form of a verifier, whether its hash fits or not (RFC 7636, section 4.1). */
function verifierFormCause(verifier: string): Cause | undefined {
	if (!/^[A-Za-z0-9._~-]*$/.test(verifier)) return 'verifier_characters';
	if (verifier.length < 43) return 'verifier_too_short';
	return verifier.length > 128 ? 'verifier_too_long' : undefined;
}

/** What holds before a code is exchanged (specification, section 3.1; RFC 6749, section 4.1.3). */
export const codeChecks = [
	requireCode,
	findCode,
	checkClient,
	checkUnused,
	checkNotExpired,
	checkRedirectUri,
	checkRegistered,
	checkVerifier,
	checkGrant
] as const;
