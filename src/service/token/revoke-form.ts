import type { Revocation } from '#api/protocol/token.ts';
import type { WireResponse } from '#api/message.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { check, endpoint, when } from '../core/runner.ts';
import { ProtocolError } from '../core/errors.ts';
import { respondData, respondError } from '../core/responses.ts';
import type { AccessToken, RefreshToken } from '../sandbox/records.ts';
import { clientChecks, ClientContext } from './client-checks.ts';
import { allowRevocation, checkRevocationMethod } from './revoke.ts';
import { readToken } from './introspect.ts';
import { revokeGrant } from './tokens.ts';

class RevokeFormContext extends ClientContext {
	/** Digest of the token that was sent. Set by `revoke.parameters_present`. */
	tokenDigest!: string;
	/** Set by `revoke.token_known` for a refresh token. */
	refreshToken!: RefreshToken;
	/** Set by `revoke.token_known`. Undefined for a refresh token. */
	accessToken: AccessToken | undefined;
}

const requireToken = check<RevokeFormContext>('revoke.parameters_present', (context) => {
	context.tokenDigest = readToken(context);
});

const findToken = check<RevokeFormContext>('revoke.token_known', async (context) => {
	const { store } = context;
	const refreshToken = await store.get('refresh_token', context.tokenDigest);
	if (refreshToken !== undefined) context.refreshToken = refreshToken;
	else context.accessToken = await store.get('access_token', context.tokenDigest);
	const found = refreshToken ?? context.accessToken;
	if (found === undefined) {
		context.note('Unknown, expired or revoked before: nothing to revoke');
		return respondRevoked(context);
	}
	({ flow: context.flow, grant: context.grantId, family: context.family } = found);
});

const checkClient = check<RevokeFormContext>('revoke.token_issued_to_client', (context) => {
	const owner = (context.accessToken ?? context.refreshToken).client_id;
	const { client_id } = context.application;
	if (owner === client_id) return context.compare(client_id, [owner]);
	throw new ProtocolError('invalid_grant', 'The token was issued to another application. Send your own token.', {
		received: [client_id],
		expected: [owner],
		hidesExpected: true
	});
});

const revokeAccessToken = check<RevokeFormContext>('revoke.access_token_revoked', async (context) => {
	const { tokenDigest: id, accessToken } = context;
	if (accessToken !== undefined && context.dialect.revocationResponse?.ends === 'authorization')
		await revokeGrant(context, accessToken.username, accessToken.client_id, accessToken.grant);
	await context.store.delete('access_token', id);
	context.credentialEvents.push({ type: 'ended', kind: 'access_token', id, reason: 'revoked' });
	context.username = accessToken?.username;
	return respondRevoked(context);
});

const revokeRefreshToken = check<RevokeFormContext>('revoke.grant_revoked', async (context) => {
	const { username, client_id, grant } = context.refreshToken;
	await revokeGrant(context, username, client_id, grant);
	context.username = username;
	context.note(`Grant of ${username}`);
	return respondRevoked(context);
});

/**
 * The revocation endpoint of today's standards, `POST /ws/oauth2/revoke` (RFC 7009). An access token ends alone, a refresh token ends
 * the grant.
 */
export const revokeByForm = endpoint(
	RevokeFormContext,
	[
		rejectBlacklisted,
		allowRevocation,
		injectFault,
		checkRevocationMethod,
		...clientChecks,
		requireToken,
		findToken,
		checkClient,
		...when(({ accessToken }: RevokeFormContext) => accessToken !== undefined, [revokeAccessToken]),
		revokeRefreshToken
	],
	respondError
);

function respondRevoked(context: RevokeFormContext): WireResponse {
	const data: Revocation = { revoked: true };
	return respondData(context, 200, 'revocation', data);
}
