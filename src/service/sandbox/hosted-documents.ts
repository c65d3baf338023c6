import { documentUrl, exampleDocument, maxDocument } from '#api/control/client-documents.ts';
import type { Sandbox } from './sandbox.ts';
import type { HostedDocument } from './records.ts';

/** A hosted document: the developer's, or the example. Undefined if there is none. */
export async function readHosted({ store, base_url }: Sandbox, name: string): Promise<HostedDocument | undefined> {
	const stored = await store.get('client_document', name);
	return stored ?? (name === exampleDocument ? { text: example(base_url) } : undefined);
}

/** The text of a hosted document as its faults leave it. */
export function servedText({ base_url }: Sandbox, name: string, { text, fault }: HostedDocument): string {
	const url = documentUrl(base_url, name);
	if (fault === 'too_large') return text.padEnd(maxDocument + 1);
	return fault === 'other_id' ? text.replaceAll(url, `${url}-other`) : text;
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
