import * as v from 'valibot';
import { declare } from '../declare.ts';
import { deleted } from './fields.ts';

/** The longest document of a client, in bytes (CIMD, section 6.6). */
export const maxDocument = 5 * 1024;
/** How many documents a sandbox hosts. */
export const maxDocuments = 20;
/** The document that each sandbox has without being asked. */
export const exampleDocument = 'example';

/** What is wrong where a hosted document is served and read, and what forms call it. */
export const documentFaults = {
	none: 'None',
	slow: 'Slower than 5 seconds',
	too_large: 'Larger than 5 kB',
	redirect: 'Redirect',
	content_type: 'Another content type',
	other_id: 'client_id of another URL',
	cached: 'Old version in the cache'
} as const;

export type DocumentFault = keyof typeof documentFaults;

/** The same, as a list. */
export const documentFaultNames = Object.keys(documentFaults).filter(
	(name): name is DocumentFault => name in documentFaults
);

/** For how many seconds a document with the fault `cached` is fresh. */
export const cachedSeconds = 86_400;

const directory = '/ws/oauth2/clients/';

/** The URL of a document that a sandbox hosts, which is the `client_id` of its client. */
export function documentUrl(base_url: string, name: string): string {
	return `${base_url}${directory}${name}`;
}

/** The name of a hosted document. Undefined for any URL that is not in the directory of the sandbox. */
export function hostedName(base_url: string, url: string): string | undefined {
	const start = documentUrl(base_url, '');
	return url.startsWith(start) ? url.slice(start.length) : undefined;
}

/** A field that is `null` counts as absent. */
const field = <S extends v.GenericSchema>(schema: S) => v.nullish(schema);
const texts = field(v.array(v.string()));

/** What the service reads of a document (RFC 7591, section 2). Other fields are ignored. */
export const clientDocument = v.object({
	client_id: v.string(),
	client_name: field(v.string()),
	redirect_uris: texts,
	post_logout_redirect_uris: texts,
	grant_types: texts,
	response_types: texts,
	token_endpoint_auth_method: field(v.string())
});

/** A document that the sandbox hosts. */
export const hostedDocument = v.object({
	name: v.string(),
	/** Its URL, which is the `client_id` of its client. */
	client_id: v.string(),
	/** As it was written. It need not be right. */
	text: v.string(),
	/** What is wrong where it is served and read. */
	fault: v.picklist(documentFaultNames),
	/** Whether it is the example that each sandbox has. */
	is_example: v.boolean()
});

const hostedDocuments = v.object({ client_documents: v.array(hostedDocument) });

/** `PUT client-documents/<name>`. */
export const newDocument = v.strictObject({
	text: v.pipe(
		v.string('Enter the text of the document.'),
		v.maxBytes(maxDocument, 'A document can have at most 5,120 bytes.')
	),
	/** Absent: `none`. */
	fault: v.exactOptional(v.picklist(documentFaultNames))
});

export const documentNamePattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

export const clientDocumentsApi = declare({
	'GET /control/client-documents': {
		id: 'listClientDocuments',
		tag: 'Applications',
		summary: 'List client documents',
		description: 'Lists the documents of clients that this sandbox hosts, each with its URL as `client_id`.',
		responses: { 200: { description: 'The documents.', json: hostedDocuments } }
	},
	'PUT /control/client-documents/{document_name}': {
		id: 'writeClientDocument',
		tag: 'Applications',
		summary: 'Write a client document',
		description: `Creates or replaces a document, \`{"text"}\`. The text is served as it is, so it can be wrong on purpose. With \`fault\`, so is its server: \`slow\`, \`too_large\`, \`redirect\`, \`content_type\`, \`other_id\`, \`cached\`. At most ${maxDocuments} documents, 5,120 bytes each. In the dialect of today’s standards, the URL of the document is a \`client_id\`.`,
		body: {
			schema: newDocument,
			example: {
				text: '{"client_id":"https://localhost:8443/ws/oauth2/clients/my-agent","client_name":"My agent","redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"none"}'
			}
		},
		responses: { 200: { description: 'The document.', json: hostedDocument } },
		errors: { 409: 'The sandbox has too many documents.' }
	},
	'DELETE /control/client-documents/{document_name}': {
		id: 'deleteClientDocument',
		tag: 'Applications',
		summary: 'Delete a client document',
		description: 'Deletes a document. Its client keeps its tokens, and cannot ask users for access again.',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors: { 404: 'The sandbox has no document with this name.' }
	}
});

export type HostedDocument = v.InferOutput<typeof hostedDocument>;
