import { documentUrl, exampleDocument } from '#api/client-document.ts';
import type { Sandbox } from './sandbox.ts';

/** The text of a hosted document: the developer's, or that of the example. Undefined if there is none. */
export async function readHosted({ store, base_url }: Sandbox, name: string): Promise<string | undefined> {
	return (await store.get('client_document', name))?.text ?? (name === exampleDocument ? example(base_url) : undefined);
}

function example(base_url: string): string {
	const client = {
		client_id: documentUrl(base_url, exampleDocument),
		client_name: 'Example agent',
		redirect_uris: [`${base_url}/viewer/callback`, 'http://127.0.0.1/callback'],
		grant_types: ['authorization_code', 'refresh_token'],
		response_types: ['code'],
		token_endpoint_auth_method: 'none'
	};
	return JSON.stringify(client, null, 2);
}
