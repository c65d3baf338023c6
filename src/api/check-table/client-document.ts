import type { CheckRows } from './check-row.ts';

/** Checks of a client that its `client_id`, a URL, describes (OAuth Client ID Metadata Document, draft 01: CIMD). */
export const clientDocumentChecks = {
	'client_document.url_valid': {
		reads: ['client_id'],
		causes: ['credentials', 'dot_segment', 'fragment', 'no_path', 'not_https', 'not_normalized', 'too_long']
	},
	'client_document.found': { reads: ['client_id'], causes: ['no_navigation', 'no_network', 'not_hosted'] },
	'client_document.address_allowed': {
		reads: ['client_id'],
		causes: ['busy', 'no_address', 'not_public', 'port_not_allowed']
	},
	'client_document.fetched': {
		reads: ['client_id'],
		causes: [
			'busy',
			'compressed',
			'redirected',
			'too_large',
			'too_slow',
			'unreachable',
			'untrusted_certificate',
			'wrong_content_type',
			'wrong_status'
		]
	},
	'client_document.is_json': { failed: true },
	'client_document.client_id_equal': { reads: ['client_id'], causes: ['different', 'missing'] },
	'client_document.metadata_valid': { causes: ['malformed', 'other_grants', 'secret', 'with_authentication'] },
	'client_document.redirect_uris_valid': { failed: true },
	'client_document.client_stored': { reads: ['address'], causes: ['too_many_clients'] },
	'client_document.returned': { reads: ['path'], responds: true, failed: true }
} as const satisfies CheckRows;
