import type { CheckRows } from './check-row.ts';

/** Checks of what only the dialect of today's standards has: introspection, metadata and registration. */
export const metadataChecks = {
	'introspect.method_is_post': {
		title: 'The method is POST',
		section: 'RFC 7662 §2.1',
		reads: ['method'],
		failed: 'wrong method'
	},
	'introspect.token_present': {
		title: 'A client with a secret sent a token',
		section: 'RFC 7662 §2.1',
		reads: ['token'],
		causes: { missing_parameter: 'token missing', missing_secret: 'client_secret missing' }
	},
	'introspect.token_described': {
		title: 'The token is described',
		section: 'RFC 7662 §2.2',
		reads: ['token'],
		responds: 'Token described',
		cannotFail: true
	},
	'metadata.method_is_get': {
		title: 'The method is GET or HEAD',
		section: 'RFC 8414 §3.1',
		reads: ['method'],
		failed: 'wrong method'
	},
	'metadata.returned': {
		title: 'The metadata is returned',
		section: 'RFC 8414 §3.2',
		reads: ['path'],
		responds: 'Metadata returned',
		failed: 'no such resource'
	},
	'keys.returned': {
		title: 'The public keys are returned',
		section: 'RFC 7517 §5',
		reads: ['path'],
		responds: 'Public keys returned',
		failed: 'too many keys at once'
	},
	'register.method_is_post': {
		title: 'The method is POST',
		section: 'RFC 7591 §3.1',
		reads: ['method'],
		failed: 'wrong method'
	},
	'register.enabled': {
		title: 'The sandbox allows dynamic registration',
		section: 'RFC 7591 §3.1',
		causes: { registration_off: 'dynamic registration is off', registration_rejected: 'fault: registration rejected' }
	},
	'register.metadata_valid': {
		title: 'The metadata of the client is valid',
		section: 'RFC 7591 §2',
		reads: ['Content-Type'],
		failed: 'invalid metadata'
	},
	'register.redirect_uris_valid': {
		title: 'The redirect URIs are allowed',
		section: 'RFC 7591 §5',
		failed: 'redirect URI not allowed'
	},
	'register.within_limits': {
		title: 'Not too many clients have registered',
		section: 'RFC 7591 §5',
		reads: ['address'],
		causes: { too_many_clients: 'too many clients' }
	},
	'register.client_registered': {
		title: 'The client is registered',
		section: 'RFC 7591 §3.2.1',
		responds: 'Client registered',
		cannotFail: true
	}
} as const satisfies CheckRows;
