import { check, when } from '../core/check.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins } from '../checks/cors.ts';
import { injectFault } from '../checks/faults.ts';
import { ProtocolError } from '../core/errors.ts';
import { requireMethod, respondError } from '../core/responses.ts';
import { endpoint } from '../core/runner.ts';
import { clientChecks } from './client-checks.ts';
import { codeExchangeChecks } from './code-exchange.ts';
import { printable } from './form-body.ts';
import { refreshChecks } from './refresh.ts';
import { resourceCheck } from './resource-indicators.ts';
import { TokenContext } from './token-context.ts';

const checkMethod = check<TokenContext>('token.method_is_post', (context) => requireMethod(context, 'POST'));

const chooseGrantType = check<TokenContext>('token.grant_type_supported', (context) => {
	const grantType = context.form.get('grant_type');
	if (grantType === undefined)
		throw new ProtocolError(
			'invalid_request',
			'The field grant_type is missing. It must be authorization_code or refresh_token.',
			{ cause: 'missing_field' }
		);
	if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
		const isKnown = /^(?:authorization_code|refresh_token)$/i.test(grantType);
		throw new ProtocolError(
			'unsupported_grant_type',
			'grant_type must be authorization_code or refresh_token, in lower case.',
			{
				cause: isKnown ? 'wrong_letter_case' : 'unknown_grant_type',
				received: [printable(grantType)],
				expected: ['authorization_code', 'refresh_token']
			}
		);
	}
	context.grantType = grantType;
	context.compare(grantType, ['authorization_code', 'refresh_token']);
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
		...resourceCheck<TokenContext>('token.resource_is_uri', ({ form }) => form),
		...when((context: TokenContext) => context.grantType === 'authorization_code', codeExchangeChecks),
		...when((context: TokenContext) => context.grantType === 'refresh_token', refreshChecks)
	],
	respondError
);
