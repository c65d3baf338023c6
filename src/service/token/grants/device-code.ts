import { openidScope } from '#api/identity-scopes.ts';
import { recordToken } from '../../checks/attempt-limits.ts';
import { isRegisteredFor } from '#api/protocol/grant-types.ts';
import { check } from '../../core/runner.ts';
import { redactCredential } from '../../core/hard-code.ts';
import { base64url } from '../../core/encoding.ts';
import { ProtocolError } from '../../core/errors.ts';
import { respondData } from '../../core/responses.ts';
import { createIdToken } from '../../identity/id-token.ts';
import { requireSigningKeys } from '../../identity/signing-keys.ts';
import type { DeviceAuthorization } from '../../sandbox/records.ts';
import { findAccount } from '../../sandbox/test-cards.ts';
import { deviceMemory, pollInterval, userCodeOf } from '../device-codes.ts';
import { refreshClaims } from '../dpop-binding.ts';
import { boundTo } from '../resource-indicators.ts';
import { createTokenResponse, describeIssued, type TokenContext } from '../token-context.ts';
import {
	accessTokenLifetime,
	activeGrant,
	issueAccessToken,
	issueRefreshToken,
	recordUse,
	type UserClaims
} from '../tokens.ts';

/** How much earlier than the interval a poll may arrive, in milliseconds: networks are not even. */
const tolerance = 250;

const requireDeviceCode = check<TokenContext>('token.device_code_present', (context) => {
	const device_code = context.form.get('device_code');
	if (device_code === undefined) throw new ProtocolError('invalid_request', 'The field device_code is missing.');
	context.credentialDigest = context.digestOf(redactCredential(context, device_code, 'device_code'));
});

const findDevice = check<TokenContext>('token.device_code_known', async (context) => {
	const device = await context.store.get('device_authorization', keyOf(context));
	if (device?.device !== context.credentialDigest)
		throw new ProtocolError(
			'invalid_grant',
			'The device_code is unknown. Send the one of the device authorization response.'
		);
	context.device = device;
	context.flow = device.flow;
});

const checkClient = check<TokenContext>('token.device_code_issued_to_client', ({ application, device }) => {
	const { client_id } = application;
	if (client_id !== device.client_id)
		throw new ProtocolError('invalid_grant', 'The device_code was issued to another application.', {
			received: [client_id],
			expected: [device.client_id],
			hidesExpected: true
		});
});

const checkValid = check<TokenContext>('token.device_code_valid', (context) => {
	const { isUsed, validUntil } = context.device;
	if (isUsed) throw alreadyUsed();
	const left = Math.ceil((validUntil - context.now()) / 1000);
	if (left <= 0)
		throw new ProtocolError('expired_token', 'The device_code has expired. Stop polling, and ask for new codes.', {
			cause: 'expired'
		});
	context.note(`Expires in ${left} s`);
});

const checkInterval = check<TokenContext>('token.device_interval_kept', async (context) => {
	const now = context.now();
	const outcome = { isTooFast: false, interval: 0, waited: 0 };
	await context.store.update('device_authorization', keyOf(context), (device) => {
		if (device === undefined) return undefined;
		const { polled = -Infinity, interval } = device;
		// A decision ends the waiting, so the last poll cannot come too early (RFC 8628, section 3.5).
		outcome.isTooFast = device.decision === undefined && now - polled < interval * 1000 - tolerance;
		outcome.waited = (now - polled) / 1000;
		outcome.interval = outcome.isTooFast ? interval + pollInterval : interval;
		return { ...device, polled: now, interval: outcome.interval };
	});
	const { isTooFast, interval, waited } = outcome;
	const found = Number.isFinite(waited) ? `${waited.toFixed(1)} s after the last poll` : 'the first poll';
	if (isTooFast)
		throw new ProtocolError('slow_down', `The poll came too early. Wait ${interval} seconds before each further one.`, {
			received: [found],
			expected: [`at least ${interval - pollInterval} s`]
		});
	context.compare(found, [`at least ${interval} s`]);
});

const checkDecision = check<TokenContext>('token.device_user_decided', async (context) => {
	const { decision, client_id } = context.device;
	if (decision === undefined)
		throw new ProtocolError('authorization_pending', 'The user has not decided yet. Poll again after the interval.', {
			cause: 'undecided'
		});
	if (decision === 'denied')
		throw new ProtocolError('access_denied', 'The user denied access. Stop polling.', { cause: 'denied', status: 400 });
	const grant = await activeGrant(context, { ...decision, client_id });
	if (grant === undefined) throw ended('access_revoked');
	if ((await findAccount(context, decision.username)) === undefined) throw ended('account_deleted');
	context.deviceGrant = decision;
	context.grant = grant;
	context.grantId = grant.id;
	context.username = decision.username;
	context.note(decision.username);
});

const exchange = check<TokenContext>('token.device_code_exchanged', async (context) => {
	recordToken(context);
	const { store, device, deviceGrant, credentialDigest } = context;
	const { flow, client_id, scopes } = device;
	const { username, grant, authTime } = deviceGrant;
	const [key] = scopes.includes(openidScope) ? await requireSigningKeys(context) : [];
	const family = base64url(context.options.random(16));
	const claims: UserClaims = { flow, client_id, username, grant, scopes, family, ...boundTo(context) };
	const lifetime = accessTokenLifetime(context, username);
	const expires = context.now() + lifetime * 1000;
	let before: DeviceAuthorization | undefined;
	await store.update('device_authorization', keyOf(context), (now) => {
		before = now;
		return now && { ...now, isUsed: true, expires: context.now() + deviceMemory };
	});
	if (before === undefined || before.isUsed) throw alreadyUsed();
	await store.update('token_family', family, () => ({ expires, createdBy: context.networkAddress }));
	context.family = family;
	const access_token = await issueAccessToken(context, claims, credentialDigest);
	const refresh_token = isRegisteredFor(context.application, 'refresh_token')
		? await issueRefreshToken(context, refreshClaims(context, claims), credentialDigest, false)
		: undefined;
	const id_token =
		key &&
		(await createIdToken(
			context,
			key,
			{ ...claims, ...(authTime !== undefined && { authTime }) },
			{ access_token, lifetime }
		));
	await recordUse(context, context.grant);
	context.note(describeIssued(context, claims, refresh_token));
	const response = await createTokenResponse(context, access_token, claims, { refresh_token, id_token });
	return respondData(context, 200, 'OAuth', response);
});

/**
 * The polls of a device (RFC 8628, sections 3.4 and 3.5). The codes end by the clock of the sandbox. A poll that comes too early makes
 * the interval longer.
 */
export const deviceCodeChecks = [
	requireDeviceCode,
	findDevice,
	checkClient,
	checkValid,
	checkInterval,
	checkDecision,
	exchange
] as const;

/** The key of the device that a request is about. */
function keyOf(context: TokenContext): string {
	return userCodeOf(context, context.form.get('device_code') ?? '');
}

function alreadyUsed(): ProtocolError {
	return new ProtocolError('invalid_grant', 'The device_code was exchanged before. Stop polling, and use the tokens.', {
		cause: 'already_used'
	});
}

function ended(cause: 'access_revoked' | 'account_deleted'): ProtocolError {
	return new ProtocolError('invalid_grant', 'Access was revoked. Stop polling, and ask for new codes.', { cause });
}
