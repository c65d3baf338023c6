import type { CheckRows } from './check-row.ts';

/** Checks of simulated providers. The file of the provider decides, and names the source of what it says. */
export const providerChecks = {
	'provider.path_simulated': { reads: ['path'], failed: true },
	'provider.request_read': { reads: ['query', 'body'], cannotFail: true },
	'provider.user_agent_sent': { failed: true },
	'provider.refresh_token_due': { cannotFail: true },
	'provider.token_response': { cannotFail: true },
	'provider.api_response': { cannotFail: true },
	'provider.revocation_response': { cannotFail: true },
	'provider.error_status': { cannotFail: true },
	'provider.error_body': { cannotFail: true },
	'provider.limit_response': { cannotFail: true },
	'provider.limit_fields': { cannotFail: true }
} as const satisfies CheckRows;
