import * as v from 'valibot';

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
