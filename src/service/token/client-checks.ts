import { restrictCorsToClient } from '../checks/cors.ts';
import { check, when, whenStandard } from '../core/runner.ts';
import { Context } from '../core/context.ts';
import { FormFields } from '../core/form-fields.ts';
import type { Application } from '../sandbox/records.ts';
import { assertionChecks, hasAssertion } from './client-assertion.ts';
import { authenticateClient, readCredentials } from './client-authentication.ts';
import { clientDocumentChecks } from './client-document.ts';
import type { Cause } from '#api/checks.ts';
import { grants } from '#api/protocol/grant-types.ts';
import { tokenForm } from '#api/protocol/standard.ts';
import { headerValues } from '#api/headers.ts';
import { redactText } from '#api/redact.ts';
import { type ErrorDetails, ProtocolError } from '../core/errors.ts';

/** The context of a request that a client sends as a form, with its credentials. */
export class ClientContext extends Context {
	/** The error of a request without any credentials. Introspection is for authenticated callers (RFC 7662, section 2.3). */
	readonly withoutClient?: 'invalid_request' | 'invalid_client';
	/** Set by `token.form_is_valid`. */
	form!: FormFields;
	/** Set by `token.client_authenticated` or `client_assertion.issued_by_client`. */
	application!: Application;
	/** Whether the application proved who it is. Set by `token.client_authenticated`. */
	isAuthenticated!: boolean;
}

const readForm = check<ClientContext>('token.form_is_valid', (context) => {
	context.form = readFormBody(context);
	context.note(`Fields: ${context.form.size}`);
});

const checkCredentials = check<ClientContext>('token.client_authenticated', async (context) => {
	const credentials = readCredentials(context, context.form, context.withoutClient);
	const { client_secret, unencodedSecret } = credentials;
	if (client_secret !== undefined) context.redact(client_secret, 'client_secret');
	if (unencodedSecret !== undefined) context.redact(unencodedSecret, 'client_secret');
	const { application, isAuthenticated } = await authenticateClient(context, credentials);
	context.application = application;
	context.isAuthenticated = isAuthenticated;
	restrictCorsToClient(context, application);
	context.note(`${application.client_id}, ${application.kind} application`);
});

const authentication = [
	...whenStandard<ClientContext>(hasAssertion, assertionChecks),
	...when<ClientContext>((context) => !hasAssertion(context), [checkCredentials])
];

/** What holds for every request of a client: a form, and valid credentials. */
export const clientChecks = [readForm, ...authentication] as const;

/** The same for the first request of a flow, with which a client can come that only its document describes. */
export const firstRequestChecks = [
	readForm,
	...clientDocumentChecks<ClientContext>(({ form }) => form.get('client_id')),
	...authentication
] as const;

const formType = 'application/x-www-form-urlencoded';
/** What an endpoint for clients reads. */
const knownFields = [
	'grant_type',
	...grants.flatMap(({ fields }) => Object.keys(fields)),
	...Object.keys(tokenForm.entries)
];

/**
 * The fields of a form that a client sent, each once. Today's standards ignore those that the service does not know (RFC 6749,
 * section 3.2).
 * @throws ProtocolError `invalid_request`, `unsupported_media_type`
 */
function readFormBody(context: Context): FormFields {
	const form = decodeForm(context);
	const names = context.dialect.metadata ? knownFields : undefined;
	const duplicated = form.duplicated(names);
	if (duplicated !== undefined)
		throw invalidRequest(`${fieldOf(duplicated)} was sent more than once. Send it once.`, 'duplicate_field');
	const malformed = form.malformed(names);
	if (malformed !== undefined)
		throw invalidRequest(`${fieldOf(malformed)} is not percent-encoded UTF-8.`, 'malformed_field');
	return form;
}

function decodeForm(context: Context): FormFields {
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
	// ASCII is the same in other character sets, and the type has no such parameter, so many clients send one without effect.
	const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset) || context.request.body.every(isAscii);
	if (type.trim() !== formType || !isUtf8) {
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

function isAscii(byte: number): boolean {
	return byte < 128;
}

function invalidRequest(description: string, cause: Cause, details: ErrorDetails = {}): ProtocolError {
	return new ProtocolError('invalid_request', description, { ...details, cause });
}

/** Names a field in an error. An unknown name may be a misplaced secret. */
function fieldOf(name: string): string {
	return /^[a-z_]{1,40}$/.test(name) ? `The field ${name}` : 'A field';
}

/** A short value of a request, without secrets, for an error. */
export function printable(text: string): string {
	return redactText(text)
		.replace(/[^\x21-\x7e]/g, '?')
		.slice(0, 40);
}
