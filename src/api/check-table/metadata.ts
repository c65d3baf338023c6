import type { CheckRows } from './check-row.ts';

/** Checks of what only the dialect of today's standards has: introspection, metadata and registration. */
export const metadataChecks = {
	'introspect.method_is_post': { reads: ['method'], failed: true },
	'introspect.token_present': { reads: ['token'], causes: ['missing_parameter', 'missing_secret'] },
	'introspect.token_described': { reads: ['token'], responds: true, cannotFail: true },
	'metadata.method_is_get': { reads: ['method'], failed: true },
	'metadata.returned': { reads: ['path'], responds: true, failed: true },
	'keys.returned': { reads: ['path'], responds: true, failed: true },
	'register.method_is_post': { reads: ['method'], failed: true },
	'register.enabled': { causes: ['registration_off', 'registration_rejected'] },
	'register.metadata_valid': { reads: ['Content-Type'], failed: true },
	'register.redirect_uris_valid': { failed: true },
	'register.within_limits': { reads: ['address'], causes: ['too_many_clients'] },
	'register.client_registered': { responds: true, cannotFail: true }
} as const satisfies CheckRows;
