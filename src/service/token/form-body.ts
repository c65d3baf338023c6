import type { Cause } from '#api/checks.ts';
import { grants } from '#api/protocol/grant-types.ts';
import { tokenForm } from '#api/protocol/standard.ts';
import { headerValues } from '#api/headers.ts';
import { redactText } from '#api/redact.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError, type ErrorDetails } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';

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
export function readFormBody(context: Context): FormFields {
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
