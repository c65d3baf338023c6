import { cachedSeconds, documentUrl } from '#api/client-document.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { allowAllOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { delayResponse } from '../checks/fault-responses.ts';
import { check } from '../core/check.ts';
import { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { redirect, requireRead, respondError, respondText } from '../core/responses.ts';
import { pathParameters } from '../core/routes.ts';
import { endpoint } from '../core/runner.ts';
import { readHosted, servedText } from '../sandbox/hosted-documents.ts';

/** How long the server of a document with the fault `slow` takes, in milliseconds. */
const slowness = 10_000;

const returnDocument = check<Context>('client_document.returned', async (context) => {
	const { document_name = '' } = pathParameters(context.path);
	const document = await readHosted(context.sandbox, document_name);
	if (document === undefined)
		throw new ProtocolError('not_found', 'This sandbox hosts no client document at this path.');
	const { fault } = document;
	context.note(fault === undefined ? document_name : `${document_name}, with the fault ${fault}`);
	if (fault === 'redirect')
		return redirect(context, `${documentUrl(context.sandbox.base_url, document_name)}-moved`, 307);
	if (fault === 'slow') await delayResponse(context, slowness);
	// No page of HTML: anyone could let the service send a script.
	const type = fault === 'content_type' ? 'text/plain; charset=utf-8' : 'application/json';
	const served = respondText(context, 200, type, servedText(context.sandbox, document_name, document));
	if (fault !== 'cached') return served;
	const headers = ['Content-Type', type, 'Cache-Control', `max-age=${cachedSeconds}`, ...context.headers];
	return { ...served, headers };
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
