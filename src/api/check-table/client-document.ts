import type { CheckRows } from './check-row.ts';

/** Checks of a client that its `client_id`, a URL, describes (OAuth Client ID Metadata Document, draft 01: CIMD). */
export const clientDocumentChecks = {
	'client_document.url_valid': {
		title: 'client_id is the URL of a document',
		section: 'CIMD §3',
		reads: ['client_id'],
		causes: {
			credentials: 'user name in the URL',
			dot_segment: 'dots in the path of the URL',
			fragment: 'fragment in the URL',
			no_path: 'URL without a path',
			not_https: 'URL without HTTPS',
			not_normalized: 'URL is not normalized',
			too_long: 'URL is too long'
		}
	},
	'client_document.found': {
		title: 'The document is hosted here, cached, or can be fetched',
		section: 'CIMD §4.4',
		reads: ['client_id'],
		causes: {
			no_navigation: 'request is no navigation',
			no_network: 'this host fetches no documents',
			not_hosted: 'no such document in this sandbox'
		}
	},
	'client_document.address_allowed': {
		title: 'The host of the URL has a public address',
		section: 'CIMD §6.5',
		reads: ['client_id'],
		causes: {
			busy: 'too many lookups at once',
			no_address: 'host has no address',
			not_public: 'address is not public',
			port_not_allowed: 'port is not allowed'
		}
	},
	'client_document.fetched': {
		title: 'The server of the client returns the document',
		section: 'CIMD §4',
		reads: ['client_id'],
		causes: {
			busy: 'too many documents at once',
			compressed: 'compressed document',
			redirected: 'redirect in place of a document',
			too_large: 'document is too large',
			too_slow: 'server of the client is too slow',
			unreachable: 'server of the client is unreachable',
			untrusted_certificate: 'certificate is not trusted',
			wrong_content_type: 'document has another content type',
			wrong_status: 'document has another status'
		}
	},
	'client_document.is_json': {
		title: 'The document is a JSON object',
		section: 'CIMD §4.1',
		failed: 'document is not JSON'
	},
	'client_document.client_id_equal': {
		title: 'client_id in the document is the URL of the document',
		section: 'CIMD §4.1',
		reads: ['client_id'],
		causes: { different: 'another client_id in the document', missing: 'no client_id in the document' }
	},
	'client_document.metadata_valid': {
		title: 'The document describes a client without a secret',
		section: 'CIMD §4.1',
		causes: {
			malformed: 'malformed field in the document',
			other_grants: 'document without authorization codes',
			secret: 'secret in the document',
			with_authentication: 'document asks for client authentication'
		}
	},
	'client_document.redirect_uris_valid': {
		title: 'The redirect URIs of the document are allowed',
		section: 'CIMD §4.5',
		failed: 'redirect URI of the document not allowed'
	},
	'client_document.client_stored': {
		title: 'The client is known until its document must be fetched again',
		section: 'CIMD §4.4',
		reads: ['address'],
		causes: { too_many_clients: 'too many clients' }
	},
	'client_document.returned': {
		title: 'The document is returned',
		section: 'CIMD §4.2',
		reads: ['path'],
		responds: 'Client document returned',
		failed: 'no such client document'
	}
} as const satisfies CheckRows;
