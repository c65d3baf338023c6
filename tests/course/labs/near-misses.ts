/** The actions that lead to each near miss, by lab. */
export const nearMisses: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
	'login-csrf': {
		expired: ['sign_in', 'hold', 'remove_state', 'wait', 'put_on_page', 'open_as_victim'],
		own_exchange: ['sign_in', 'hold', 'release'],
		state_kept: ['sign_in', 'hold', 'put_on_page', 'open_as_victim'],
		code_removed: ['sign_in', 'hold', 'remove_state', 'remove_code', 'put_on_page', 'open_as_victim']
	},
	'code-injection': {
		expired: ['copy_code', 'sign_in', 'hold', 'swap_code', 'wait', 'deliver'],
		own_code: ['copy_code', 'sign_in', 'hold', 'release'],
		state_removed: ['copy_code', 'sign_in', 'hold', 'remove_state', 'deliver']
	},
	'pkce-downgrade': {
		expired: ['hold_request', 'remove_challenge', 'send_on', 'wait', 'put_on_page', 'open_as_victim'],
		challenge_kept: ['hold_request', 'send_on', 'put_on_page', 'open_as_victim'],
		verifier_missing: [
			'hold_request',
			'send_on',
			'put_on_page',
			'open_as_victim',
			'hold_request',
			'send_on',
			'put_on_page',
			'open_as_victim'
		],
		own_exchange: ['hold_request', 'remove_challenge', 'send_on', 'release']
	},
	'loose-redirect': {
		foreign_host: ['hold_request', 'foreign_redirect', 'put_on_page', 'open_as_victim'],
		own_code: ['hold_request', 'change_redirect', 'put_on_page', 'open_as_attacker'],
		unchanged: ['hold_request', 'put_on_page', 'open_as_victim']
	},
	'session-fixation': {
		state_removed: ['hold_request', 'remove_state', 'put_on_page', 'open_as_victim'],
		own_sign_in: ['hold_request', 'put_on_page', 'open_as_attacker'],
		too_early: ['hold_request', 'put_on_page', 'look']
	},
	'refresh-token-theft': {
		expired_access: ['use_access_token'],
		only_holder: ['copy_refresh_token', 'refresh'],
		only_victim: ['victim_returns']
	},
	'mix-up': {
		unknown_client: ['link', 'open_as_victim', 'redirect'],
		stayed: ['link', 'open_as_victim', 'release'],
		own_sign_in: ['sign_in_self']
	},
	'cross-tool-takeover': {
		unknown_client: ['link', 'open_as_victim', 'redirect'],
		stayed: ['link', 'open_as_victim', 'release'],
		own_sign_in: ['sign_in_self']
	},
	'redirect-307': {
		own_password: ['link', 'open_as_attacker'],
		consent: ['link_to_more', 'open_as_victim'],
		signed_in: ['link_to_more', 'open_as_victim', 'link', 'open_as_victim']
	},
	'other-resource': {
		own_token: ['link', 'open_as_attacker', 'exchange', 'send'],
		code_sent: ['link', 'open_as_victim', 'send_code'],
		code_used: ['link', 'open_as_victim', 'exchange', 'exchange']
	},
	'consent-phishing': {
		unknown_name: ['register_own', 'link', 'open_as_victim'],
		foreign_client: ['register', 'link_to_viewer', 'open_as_victim'],
		own_permission: ['register', 'link', 'open_as_attacker']
	},
	'device-code-phishing': {
		own_account: ['ask', 'link', 'open_as_attacker', 'poll'],
		expired: ['ask', 'link', 'wait', 'open_as_victim', 'poll'],
		too_early: ['ask', 'poll']
	},
	'audience-injection': {
		own_endpoint: ['connect', 'copy', 'use'],
		expired: ['metadata', 'connect', 'copy', 'wait', 'use']
	},
	'shared-address': {
		under_limit: ['sign_in', 'exchange', 'send_few', 'victim_opens'],
		window_over: ['sign_in', 'exchange', 'wait', 'victim_opens'],
		not_banned: ['sign_in', 'exchange', 'send_few', 'send_few', 'send_few', 'victim_opens']
	},
	'lost-response': {
		nothing_lost: ['victim_returns'],
		a_theft: ['steal'],
		ended_before: ['steal', 'victim_returns']
	},
	'scope-upgrade': {
		same_scope: ['link', 'open_as_victim', 'exchange', 'refresh'],
		own_account: ['link', 'open_as_attacker', 'exchange', 'widen'],
		code_used: ['link', 'open_as_victim', 'exchange', 'exchange']
	}
};
