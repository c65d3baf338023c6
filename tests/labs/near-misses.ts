/** The actions that lead to each near miss, by lab. */
export const nearMisses: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
	'login-csrf': {
		expired: ['sign_in', 'hold', 'remove_state', 'wait', 'put_on_page', 'open_as_victim'],
		used_by_attacker: ['sign_in', 'hold', 'release'],
		state_kept: ['sign_in', 'hold', 'put_on_page', 'open_as_victim'],
		code_removed: ['sign_in', 'hold', 'remove_state', 'remove_code', 'put_on_page', 'open_as_victim']
	}
};
