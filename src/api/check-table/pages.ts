import type { CheckRows } from './check-row.ts';

/** Checks of the pages of an authorization, and of the account page. */
export const pageChecks = {
	'interaction.method_is_post': { reads: ['method'], failed: true },
	'interaction.same_origin': { reads: ['Origin'], failed: true },
	'interaction.form_is_valid': { causes: ['broken_field', 'not_a_form'] },
	'interaction.pending_in_this_browser': {
		reads: ['interaction'],
		causes: ['completed', 'other_browser', 'redirect_uri_removed', 'unknown_interaction']
	},
	'interaction.password_is_correct': { reads: ['username', 'password'], responds: true, failed: true },
	'interaction.session_started': { reads: ['username'], responds: true, cannotFail: true },
	'interaction.decided_by_prompted_user': { reads: ['decision'], responds: true, causes: ['completed', 'other_user'] },
	'consent.not_declined_by_test_account': { reads: ['username'], responds: 'error', causes: ['completed'] },
	'account.method_allowed': { reads: ['method'], failed: true },
	'account.shown': { responds: true, cannotFail: true },
	'account.changed': { reads: ['action'], responds: true, causes: ['no_access', 'unknown_action'] }
} as const satisfies CheckRows;
