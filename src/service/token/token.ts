import type { Cause } from '#api/checks.ts';
import { headerValues } from '#api/headers.ts';
import { redactText } from '#api/redact.ts';
import { check, when } from '../core/check.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins, restrictCorsToClient } from '../checks/cors.ts';
import { injectFault } from '../checks/faults.ts';
import { ProtocolError, type ErrorDetails } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { requireMethod, respondError } from '../core/responses.ts';
import { endpoint } from '../core/runner.ts';
import { verifyClientSecret } from './client-authentication.ts';
import { basicCredentials } from '../core/encoding.ts';
import { codeExchangeChecks } from './code-exchange.ts';
import { refreshChecks } from './refresh.ts';
import { TokenContext } from './token-context.ts';

const formType = 'application/x-www-form-urlencoded';

const checkMethod = check<TokenContext>('token.method_is_post', (context) => requireMethod(context, 'POST'));

const readForm = check<TokenContext>('token.form_is_valid', (context) => {
	context.form = readFormBody(context);
	const duplicated = context.form.duplicated();
	if (duplicated !== undefined)
		throw invalidRequest(`${fieldOf(duplicated)} was sent more than once. Send it once.`, 'duplicate_field');
	const malformed = context.form.malformed();
	if (malformed !== undefined)
		throw invalidRequest(`${fieldOf(malformed)} is not percent-encoded UTF-8.`, 'malformed_field');
	context.note(`Fields: ${context.form.size}`);
});

const authenticateClient = check<TokenContext>('token.client_authenticated', async (context) => {
	const [client_id, client_secret] = credentials(context);
	context.application = await verifyClientSecret(context, client_id, context.redact(client_secret, 'client_secret'));
	restrictCorsToClient(context, context.application);
	context.note(`${context.application.client_id}, ${context.application.kind} application`);
});

const chooseGrantType = check<TokenContext>('token.grant_type_supported', (context) => {
	const grantType = context.form.get('grant_type');
	if (grantType === undefined)
		throw invalidRequest(
			'The field grant_type is missing. It must be authorization_code or refresh_token.',
			'missing_field'
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
		refuseBlacklisted,
		allowOrigins('POST'),
		injectFault,
		checkMethod,
		readForm,
		authenticateClient,
		chooseGrantType,
		...when((context: TokenContext) => context.grantType === 'authorization_code', codeExchangeChecks),
		...when((context: TokenContext) => context.grantType === 'refresh_token', refreshChecks)
	],
	respondError
);

function readFormBody(context: TokenContext): FormFields {
	// All values, because a second header could contradict the first.
	const all = (name: string) => headerValues(context.request.headers, name).join().toLowerCase();
	if (!['', 'identity'].includes(all('content-encoding'))) {
		throw new ProtocolError(
			'unsupported_media_type',
			'Content-Encoding is not supported. Send the body uncompressed.',
			{
				cause: 'content_encoding',
				received: [printable(all('content-encoding'))],
				expected: ['no Content-Encoding']
			}
		);
	}
	const [type = '', ...parameters] = all('content-type').split(';');
	const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
	if (type.trim() !== formType || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
		throw invalidRequest(
			`Send the fields as a form: Content-Type: ${formType}, in UTF-8.`,
			type.trim() === formType ? 'wrong_charset' : 'wrong_content_type',
			{ received: [printable(all('content-type')) || '(no Content-Type)'], expected: [formType] }
		);
	}
	const body = context.bodyText;
	if (body === undefined) throw invalidRequest('The body is not UTF-8.', 'not_utf8');
	const form = new FormFields(body);
	if (form.exceedsLimit) throw invalidRequest('The body has more than 100 fields.', 'too_many_fields');
	return form;
}

function credentials(context: TokenContext): [client_id: string, client_secret: string] {
	const client_id = context.form.get('client_id');
	const client_secret = context.form.get('client_secret');
	const header = context.header('authorization');
	if (header !== undefined && context.sandbox.state.settings.strict) {
		throw invalidRequest(
			'Send client_id and client_secret in the body. This service does not accept credentials in a header.',
			'credentials_in_header',
			{ received: ['Authorization header'], expected: ['client_id and client_secret in the body'] }
		);
	}
	const basic = basicCredentials(header);
	if (basic !== undefined) {
		if (client_secret !== undefined)
			throw invalidRequest('Send the credentials once: in the header or in the body.', 'credentials_sent_twice');
		if (client_id !== undefined && client_id !== basic[0])
			throw invalidRequest('The header and the body name different clients.', 'client_ids_differ', {
				received: [client_id],
				expected: [basic[0]]
			});
		return basic;
	}
	if (client_id === undefined) throw invalidRequest('The field client_id is missing.', 'missing_client_id');
	return [client_id, client_secret ?? ''];
}

function invalidRequest(description: string, cause: Cause, details: ErrorDetails = {}): ProtocolError {
	return new ProtocolError('invalid_request', description, { ...details, cause });
}

/** Names a field in an error. An unknown name may be a misplaced secret. */
function fieldOf(name: string): string {
	return /^[a-z_]{1,40}$/.test(name) ? `The field ${name}` : 'A field';
}

function printable(text: string): string {
	return redactText(text)
		.replace(/[^\x21-\x7e]/g, '?')
		.slice(0, 40);
}
