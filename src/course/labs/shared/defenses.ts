import type { LabWorld } from '../engine/lab-run.ts';

/** Defenses that several labs offer. What each does in a lab is found by running it. */
export const sharedDefenses: Readonly<Record<string, Partial<LabWorld>>> = {
	longer_state: { client: { stateBytes: 64 } },
	same_site: { client: { acceptsCrossSite: false } },
	short_codes: { settings: { lifetimes: { code: 10 } } },
	short_tokens: { settings: { lifetimes: { access_token: 300 } } },
	dpop: { settings: { dialect: 'standard' }, client: { dpop: true } },
	pushed_only: { settings: { dialect: 'standard', require_pushed_requests: true } },
	require_pkce: { settings: { dialect: 'standard' } },
	secret_required: { requiresSecret: true },
	signed_tokens: { settings: { jwt_access_tokens: true } }
};
