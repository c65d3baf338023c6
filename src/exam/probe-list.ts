import type { ProbeId } from '#api/exam.ts';

/** The groups of probes, in their order. */
export const probeGroups = ['sign-in', 'attacker', 'exchange', 'token', 'limits', 'end'] as const;

export type ProbeGroup = (typeof probeGroups)[number];

/** What is known of a probe without running it. */
export type ProbeDescription = {
	readonly id: ProbeId;
	readonly group: ProbeGroup;
	/** What the service or the browser does. */
	readonly title: string;
	/** The sections that allow it: `§ 3.1` of the specification, or of an RFC. */
	readonly legal: string;
	/** What the client must be able to do, for users. */
	readonly needs: string;
	/** The rules that need it. Rules about any traffic are not among them. */
	readonly judges: readonly string[];
	/** Whether a good client refuses the sign-in. Another sign-in then shows that it still works. */
	readonly isRefused?: true;
	/** Whether the exam signs in and reads a character before. */
	readonly startsSignedIn?: true;
	/** The verb of the driver that it needs, if not all drivers have it. */
	readonly verb?: 'attack' | 'signOut';
};

/** Forgery of authorization responses. */
const forgery = { group: 'attacker', needs: 'a callback URL', isRefused: true, verb: 'attack' } as const;
const offline = { group: 'token', needs: 'offline access', startsSignedIn: true } as const;

/** All probes, in the order of their groups. */
export const probeList: readonly ProbeDescription[] = [
	{
		id: 'warm_up',
		group: 'sign-in',
		title: 'Three ordinary sign-ins in two browsers',
		legal: '§ 3.1',
		needs: 'a sign-in',
		judges: []
	},
	{
		id: 'extra',
		group: 'sign-in',
		title: 'The authorization response has unknown parameters',
		legal: 'RFC 6749 §4.1.2',
		needs: 'a callback URL',
		judges: ['callback.extra_parameters'],
		isRefused: true
	},
	{
		id: 'hard_code',
		group: 'sign-in',
		title: 'The code is long and has characters that need encoding',
		legal: 'RFC 6749 §A.11',
		needs: 'a sign-in',
		judges: ['callback.hard_code'],
		isRefused: true
	},
	{
		id: 'extra_fields',
		group: 'sign-in',
		title: 'The token response has unknown fields',
		legal: 'RFC 6749 §5.1',
		needs: 'a call',
		judges: ['exchange.extra_fields'],
		isRefused: true
	},
	{
		id: 'error_text',
		group: 'sign-in',
		title: 'The description of an error contains HTML',
		legal: 'RFC 6749 §4.1.2.1',
		needs: 'a callback URL',
		judges: ['callback.error_escaped'],
		isRefused: true
	},
	{
		id: 'denied',
		group: 'sign-in',
		title: 'The user denies access',
		legal: 'RFC 6749 §4.1.2.1',
		needs: 'a callback URL',
		judges: ['callback.denial'],
		isRefused: true
	},
	{
		id: 'second_sign_in',
		group: 'sign-in',
		title: 'A user signs in again, and the response has no refresh token',
		legal: '§ 3.1',
		needs: 'offline access',
		judges: ['token.keep_at_second_sign_in'],
		startsSignedIn: true
	},
	{
		...forgery,
		id: 'unsolicited',
		title: 'A code that the client did not ask for, with a state',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.foreign_code']
	},
	{
		...forgery,
		id: 'nothing',
		title: 'A code that the client did not ask for, without a state',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.state_required']
	},
	{
		...forgery,
		id: 'no_state',
		title: 'Another code for an open sign-in, without its state',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.state_required']
	},
	{
		...forgery,
		id: 'wrong_state',
		title: 'Another code for an open sign-in, with a wrong state',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.foreign_code']
	},
	{
		...forgery,
		id: 'other_browser',
		title: 'A code with the state of another browser',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.state_of_browser']
	},
	{
		...forgery,
		id: 'used_state',
		title: 'A code with the state of a finished sign-in',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.state_once']
	},
	{
		id: 'lost_exchange',
		group: 'exchange',
		title: 'The response to the code exchange is lost',
		legal: 'RFC 6749 §4.1.2',
		needs: 'a sign-in',
		judges: ['exchange.one_try'],
		isRefused: true
	},
	{
		id: 'refused_exchange',
		group: 'exchange',
		title: 'The code exchange fails',
		legal: 'RFC 6749 §5.2',
		needs: 'a call',
		judges: ['exchange.status'],
		isRefused: true
	},
	{
		...offline,
		id: 'early_end',
		title: 'Access tokens end early, and five calls begin at once',
		legal: 'RFC 6750 §3.1',
		judges: ['token.one_refresh', 'token.notice_early_end']
	},
	{
		...offline,
		id: 'expired',
		title: 'The access token expires',
		legal: '§ 5.4',
		judges: ['token.refresh_at_expiry']
	},
	{
		...offline,
		id: 'short_life',
		title: 'Access tokens live for five minutes',
		legal: '§ 2.4',
		judges: ['token.refresh_when_due']
	},
	{
		...offline,
		id: 'always_401',
		title: 'Every call gets 401',
		legal: 'RFC 6750 §3.1',
		judges: ['token.stop_after_refresh']
	},
	{
		...offline,
		id: 'forbidden',
		title: 'Every call gets 403',
		legal: 'RFC 6750 §3.1',
		judges: ['call.missing_permission']
	},
	{
		...offline,
		id: 'refresh_fails',
		title: 'Refreshes get 503, then no response',
		legal: 'RFC 6749 §5.2',
		judges: ['token.keep_on_failure']
	},
	{
		id: 'cache',
		group: 'limits',
		title: 'One character is read six times',
		legal: '§ 8.9',
		needs: 'a call',
		judges: ['limit.cache'],
		startsSignedIn: true
	},
	{
		id: 'limited',
		group: 'limits',
		title: 'The rate limit is three calls',
		legal: '§ 8',
		needs: 'a call',
		judges: ['limit.stop_at_zero', 'limit.few_refused', 'limit.not_a_sign_out', 'limit.after_reset'],
		startsSignedIn: true
	},
	{
		id: 'unavailable',
		group: 'limits',
		title: 'Every call gets 503',
		legal: 'RFC 9110 §15.6.4',
		needs: 'a call',
		judges: ['limit.back_off'],
		startsSignedIn: true
	},
	{
		id: 'user_revoked',
		group: 'end',
		title: 'The user revokes access in the account settings',
		legal: '§ 3.1',
		needs: 'offline access',
		judges: ['token.forget_dead'],
		startsSignedIn: true
	},
	{
		id: 'signed_out',
		group: 'end',
		title: 'The user signs out',
		legal: '§ 5.4',
		needs: 'a sign-out',
		judges: ['signout.revoke', 'signout.no_use_after'],
		startsSignedIn: true,
		verb: 'signOut'
	},
	{
		id: 'blacklisted',
		group: 'end',
		title: 'The address is blacklisted',
		legal: '§ 3.3',
		needs: 'a call',
		judges: ['limit.stop_when_blacklisted'],
		startsSignedIn: true
	}
];
