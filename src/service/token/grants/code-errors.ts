import { findAccount } from '../../sandbox/test-cards.ts';
import { ProtocolError, type ErrorDetails } from '../../core/errors.ts';
import type { AuthorizationCode, Grant } from '../../sandbox/records.ts';
import type { TokenContext } from '../token-context.ts';
import { activeGrant, revokeFamily } from '../tokens.ts';

/** The value of `AuthorizationCode.consumedBy` after an exchange that failed. */
const invalidated = 'invalidated';

/** An exchange that failed, for one reason or another. */
export function invalidGrant(description: string, details: ErrorDetails = {}): ProtocolError {
	return new ProtocolError('invalid_grant', description, details);
}

/** The same error for an unknown code and for one of another client. */
export function unknownCode(details: ErrorDetails = {}): ProtocolError {
	return invalidGrant(
		'The code is unknown. It may be mistyped, expired, or issued to another application. Request a new one.',
		details
	);
}

/** Revokes what was issued for a code that is used again, and returns the error for it. */
export async function revokeOnReplay(context: TokenContext, code: AuthorizationCode): Promise<ProtocolError> {
	if (code.consumedBy === undefined || code.consumedBy === invalidated) {
		return invalidGrant('An earlier exchange failed and invalidated the code. Request a new one.', {
			cause: 'earlier_exchange_failed'
		});
	}
	await revokeFamily(context, code, code.consumedBy);
	return invalidGrant(
		'The code was already used. It may be stolen, so the tokens issued for it were revoked. Ask the user to sign in again.',
		{ cause: 'already_used' }
	);
}

/** Makes a code useless after an exchange that failed. */
export async function invalidateCode(
	context: TokenContext,
	reason: 'expired' | 'failed_exchange' = 'failed_exchange'
): Promise<void> {
	context.credentialEvents.push({ type: 'ended', kind: 'code', id: context.credentialDigest, reason });
	await context.store.update(
		'code',
		context.credentialDigest,
		(now) => now && { ...now, consumedBy: now.consumedBy ?? invalidated }
	);
}

/**
 * The grant that a code was issued under.
 * @throws ProtocolError `invalid_grant` where the user has revoked access since
 */
export async function requireActiveGrant(context: TokenContext): Promise<Grant> {
	const { code } = context;
	const account = await findAccount(context, code.username);
	const grant = account && (await activeGrant(context, code));
	if (grant === undefined) {
		const cause = account === undefined ? 'account_deleted' : 'access_revoked';
		throw invalidGrant('Access was revoked. Ask the user to authorize again.', { cause });
	}
	return grant;
}
