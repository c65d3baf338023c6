import type { DeviceAuthorizationResponse } from '#api/protocol/device.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { allowOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { check, endpoint } from '../core/runner.ts';
import { base64url } from '../core/encoding.ts';
import { requireMethod, respondData, respondError } from '../core/responses.ts';
import { ClientContext, firstRequestChecks } from '../token/client-checks.ts';
import { deviceLifetime, deviceMemory, displayUserCode, pollInterval, userCodeOf } from '../token/device-codes.ts';
import { randomToken } from '../token/tokens.ts';
import { requestedScopes } from './requested-scopes.ts';

class DeviceAuthorizationContext extends ClientContext {
	/** Set by `device.scope_known`. */
	scopes!: readonly string[];
}

const checkMethod = check<DeviceAuthorizationContext>('device.method_is_post', (context) =>
	requireMethod(context, 'POST')
);

const checkScope = check<DeviceAuthorizationContext>('device.scope_known', async (context) => {
	context.scopes = await requestedScopes(context, context.form.get('scope'));
});

const issueCodes = check<DeviceAuthorizationContext>('device.codes_issued', async (context) => {
	if (context.options.adminKey !== undefined) await recordFailedAttempt(context, 'start_sign_in');
	const { application, scopes, store, sandbox } = context;
	const flow = base64url(context.options.random(9));
	const device_code = randomToken(context, 'device_code');
	const key = userCodeOf(context, device_code);
	const validUntil = context.now() + deviceLifetime * 1000;
	// Of 25.6 billion user codes, one that exists is hardly ever drawn again. The older device then gets no decision.
	await store.update('device_authorization', key, () => ({
		flow,
		client_id: application.client_id,
		device: context.digestOf(device_code),
		scopes,
		interval: pollInterval,
		validUntil,
		expires: validUntil + deviceMemory,
		createdBy: context.networkAddress
	}));
	context.flow = flow;
	const user_code = context.redact(displayUserCode(key), 'user_code');
	const verification_uri = `${sandbox.base_url}/ws/oauth2/device`;
	context.note(`${application.client_id}: ${scopes.join(' ')}`);
	const codes: DeviceAuthorizationResponse = {
		device_code,
		user_code,
		verification_uri,
		verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
		expires_in: deviceLifetime,
		interval: pollInterval
	};
	return respondData(context, 200, 'device', codes);
});

/** The device authorization endpoint, `POST /ws/oauth2/device_authorization` (RFC 8628, section 3.1). */
export const deviceAuthorization = endpoint(
	DeviceAuthorizationContext,
	[
		rejectBlacklisted,
		requireMetadata,
		allowOrigins('POST'),
		injectFault,
		checkMethod,
		...firstRequestChecks,
		checkScope,
		issueCodes
	],
	respondError
);
