import { documentUrl } from '#api/control/client-documents.ts';

/** What a new document begins with: a right one, and one for each usual mistake. */
export const documentTemplates = [
	{ value: 'agent', label: 'Right' },
	{ value: 'other_id', label: 'Another client_id' },
	{ value: 'secret', label: 'With a secret' },
	{ value: 'no_redirect', label: 'No redirect URI' }
] as const;

export type DocumentTemplate = (typeof documentTemplates)[number]['value'];

/**
 * The text of a new document.
 * @param name of the document, at the end of its URL
 */
export function textOfTemplate(template: DocumentTemplate, base_url: string, name: string): string {
	const client_id = documentUrl(base_url, name);
	const client = {
		client_id: template === 'other_id' ? `${client_id}/` : client_id,
		client_name: 'My agent',
		redirect_uris: template === 'no_redirect' ? [] : [`${base_url}/viewer/callback`, 'http://127.0.0.1/callback'],
		token_endpoint_auth_method: 'none',
		...(template === 'secret' && { client_secret: 'everyone can read this' })
	};
	return JSON.stringify(client, null, 2);
}

/** The page of a document. @param home prefix of every link */
export function documentHref(home: string, name?: string): string {
	return `${home}/console/documents${name === undefined ? '' : `?${new URLSearchParams({ name }).toString()}`}`;
}
