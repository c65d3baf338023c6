import { mapValues } from '#lib/map-values.ts';
import { grantTypesOf, isRegisteredFor, mayUse, type GrantType } from '#api/protocol/grant-types.ts';
import { check, type Check, endpoint } from '../core/runner.ts';
import { allowOrigins } from '../checks/cors.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { ProtocolError } from '../core/errors.ts';
import { requireMethod, respondError } from '../core/responses.ts';
import { requireSigningKeys } from '../identity/signing-keys.ts';
import { clientChecks, printable } from './client-checks.ts';
import { boundKeyCheck, tokenProofChecks } from './dpop-binding.ts';
import { authorizationCodeChecks } from './grants/authorization-code.ts';
import { clientCredentialsChecks } from './grants/client-credentials.ts';
import { deviceCodeChecks } from './grants/device-code.ts';
import { refreshTokenChecks } from './grants/refresh-token.ts';
import { tokenExchangeChecks } from './grants/token-exchange.ts';
import { issuesJwt } from './tokens.ts';
import { grantedResourceCheck, resourceCheck } from './resource-indicators.ts';
import { TokenContext } from './token-context.ts';

/** What the token endpoint checks of each grant, and does. The last check responds. */
const grantChecks: Readonly<Record<GrantType, readonly Check<TokenContext>[]>> = {
	authorization_code: authorizationCodeChecks,
	refresh_token: refreshTokenChecks,
	client_credentials: clientCredentialsChecks,
	'urn:ietf:params:oauth:grant-type:device_code': deviceCodeChecks,
	'urn:ietf:params:oauth:grant-type:token-exchange': tokenExchangeChecks
};

/** What holds for every grant comes before the check that responds. */
const lists = mapValues(grantChecks, (checks) => [
	...checks.slice(0, -1),
	...boundKeyCheck,
	...grantedResourceCheck,
	...checks.slice(-1)
]);

const checkMethod = check<TokenContext>('token.method_is_post', (context) => {
	requireMethod(context, 'POST');
	if (!context.path.endsWith('/'))
		context.note(
			'The slash at the end of the path is missing. A server that redirects to it turns this POST into a GET'
		);
});

const chooseGrantType = check<TokenContext>('token.grant_type_supported', async (context) => {
	const sent = context.form.get('grant_type');
	const expected = grantTypesOf(context.dialect.name);
	const names = expected.join(' or ');
	if (sent === undefined)
		throw new ProtocolError('invalid_request', `The field grant_type is missing. It must be ${names}.`, {
			cause: 'missing_field'
		});
	const grantType = expected.find((type) => type === sent);
	if (grantType === undefined) {
		const isOtherCase = expected.some((type) => type === sent.toLowerCase());
		throw new ProtocolError('unsupported_grant_type', `grant_type must be ${names}, in lower case.`, {
			cause: isOtherCase ? 'wrong_letter_case' : 'unknown_grant_type',
			received: [printable(sent)],
			expected
		});
	}
	if (!mayUse(context.application.kind, grantType)) {
		throw new ProtocolError(
			'unauthorized_client',
			`An installed application cannot keep a secret, so it cannot use ${grantType}. Register a web application.`,
			{ cause: 'needs_secret', received: ['installed application'], expected: ['web application'] }
		);
	}
	if (!isRegisteredFor(context.application, grantType))
		throw new ProtocolError('unauthorized_client', `The client did not register the grant type ${grantType}.`, {
			cause: 'not_registered',
			received: [grantType],
			expected: [...(context.application.grant_types ?? [])]
		});
	context.grantType = grantType;
	context.compare(grantType, expected);
	// A first key takes a while, and may have to wait for others. So it exists before a code is used up.
	if (issuesJwt(context, [])) await requireSigningKeys(context);
});

/** The token endpoint, `POST /ws/oauth2/token/` (specification, sections 2.3, 2.4 and 3.1). */
export const token = endpoint(
	TokenContext,
	[
		rejectBlacklisted,
		allowOrigins('POST'),
		injectFault,
		checkMethod,
		...clientChecks,
		chooseGrantType,
		...tokenProofChecks,
		...resourceCheck<TokenContext>(
			'token.resource_is_uri',
			({ form }) => form,
			(context, resources) => (context.resources = resources)
		)
	],
	respondError,
	{ choose: ({ grantType }) => grantType, lists }
);
