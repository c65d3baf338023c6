import { rejectBlacklisted } from '../checks/blacklist.ts';
import { allowAllOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { check } from '../core/check.ts';
import { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { requireRead, respondError, respondText } from '../core/responses.ts';
import { pathParameters } from '../core/routes.ts';
import { endpoint } from '../core/runner.ts';
import { readHosted } from '../sandbox/hosted-documents.ts';

const returnDocument = check<Context>('client_document.returned', async (context) => {
	const { document_name = '' } = pathParameters(context.path);
	const text = await readHosted(context.sandbox, document_name);
	if (text === undefined) throw new ProtocolError('not_found', 'This sandbox hosts no client document at this path.');
	context.note(document_name);
	return respondText(context, 200, 'application/json', text);
});

/** A document that the sandbox hosts (CIMD, section 4.2). */
export const hostedDocument = endpoint(
	Context,
	[
		rejectBlacklisted,
		requireMetadata,
		allowAllOrigins('GET'),
		check<Context>('metadata.method_is_get', (context) => requireRead(context)),
		returnDocument
	],
	respondError
);
