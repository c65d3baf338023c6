import {
	cachedSeconds,
	clientDocumentsApi,
	documentNamePattern,
	documentUrl,
	exampleDocument,
	type HostedDocument,
	maxDocuments
} from '#api/control/client-documents.ts';
import { allowAllOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { delayResponse } from '../checks/fault-responses.ts';
import { check, endpoint } from '../core/runner.ts';
import { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { redirect, requireRead, respondError, respondText } from '../core/responses.ts';
import { pathParameters } from '../core/routes.ts';
import { readHosted, servedText } from '../sandbox/hosted-documents.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { implement } from './control-endpoint.ts';

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

/** The documents that a sandbox hosts for clients of its developers. */
export const clientDocumentsEndpoints = implement(clientDocumentsApi, {
	'GET /control/client-documents': async ({ sandbox }) => {
		const stored = (await sandbox.store.list('client_document')).map(([name]) => name);
		const names = new Set([exampleDocument, ...stored]);
		return { client_documents: await Promise.all([...names].map((name) => viewOf(sandbox, name))) };
	},
	'PUT /control/client-documents/{document_name}': async (context, { body: { text, fault = 'none' }, path }) => {
		const { document_name: name } = path;
		const { store } = context.sandbox;
		if (!documentNamePattern.test(name))
			throw new ProtocolError(
				'invalid_request',
				'The name of a document has 1 to 40 of the characters a-z 0-9 - and no hyphen at its ends.',
				{ field: 'name' }
			);
		const known = await store.list('client_document');
		if (known.length >= maxDocuments && known.every(([one]) => one !== name))
			throw new ProtocolError('limit_reached', `A sandbox hosts at most ${maxDocuments} documents. Delete one first.`);
		await store.update('client_document', name, () => (fault === 'none' ? { text } : { text, fault }));
		return viewOf(context.sandbox, name);
	},
	'DELETE /control/client-documents/{document_name}': async ({ store }, { path: { document_name: name } }) => {
		if ((await store.delete('client_document', name)) !== undefined) return { deleted: name };
		throw new ProtocolError('not_found', 'This sandbox has no document with this name.');
	}
});

async function viewOf(sandbox: Sandbox, name: string): Promise<HostedDocument> {
	const { text, fault = 'none' } = (await readHosted(sandbox, name)) ?? { text: '' };
	const is_example = (await sandbox.store.get('client_document', name)) === undefined;
	return { name, client_id: documentUrl(sandbox.base_url, name), text, fault, is_example };
}
