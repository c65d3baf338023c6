import * as v from 'valibot';
import { declare } from '../declare.ts';

/** Documents of clients that a sandbox hosts for their developers (CIMD, section 4.2). */
export const clientDocumentEndpoints = declare({
	'GET /ws/oauth2/clients/{document_name}': {
		id: 'readClientDocument',
		tag: 'Authorization',
		dialect: 'standard',
		summary: 'Read a client document',
		description:
			'A document that this sandbox hosts for a client, as its developer wrote it. The URL is the `client_id`. Each sandbox has `example`.',
		access: 'everybody',
		logName: 'client_document',
		responses: { 200: { description: 'The document.', json: v.record(v.string(), v.unknown()) } },
		errors: { 404: 'This sandbox hosts no such document.' }
	}
});
