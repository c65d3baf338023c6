import { documentUrl, exampleDocument, maxDocuments } from '#api/client-document.ts';
import { clientDocumentsApi, documentNamePattern, type HostedDocument } from '#api/control/client-documents.ts';
import { ProtocolError } from '../core/errors.ts';
import { readHosted } from '../sandbox/hosted-documents.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { implement } from './control-endpoint.ts';

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
