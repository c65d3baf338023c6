import { attackerProbeList } from './attacker-probe-list.ts';
import type { ProbeDescription } from './probe-description.ts';

const limits = { group: 'limits', needs: 'a call', startsSignedIn: true } as const;
const offline = { group: 'token', needs: 'offline access', startsSignedIn: true } as const;

/** All probes, in the order of their groups. */
export const probeList: readonly ProbeDescription[] = [
	{
		id: 'warm_up',
		group: 'sign-in',
		title: 'Three sign-ins',
		does: 'Nothing unusual happens: three sign-ins in two browsers.',
		legal: '§ 3.1',
		legalInStandard: 'RFC 6749 §4.1',
		needs: 'a sign-in',
		judges: []
	},
	{
		id: 'extra',
		group: 'sign-in',
		title: 'Unknown parameters',
		does: 'The redirect back has two parameters that the client does not know.',
		legal: 'RFC 6749 §4.1.2',
		needs: 'a callback URL',
		judges: ['callback.extra_parameters'],
		isRejected: true
	},
	{
		id: 'hard_code',
		group: 'sign-in',
		title: 'Code of 256 characters',
		does: 'The code is long, and some of its characters are percent-encoded.',
		legal: 'RFC 6749 §A.11',
		needs: 'a sign-in',
		judges: ['callback.hard_code'],
		isRejected: true
	},
	{
		id: 'extra_fields',
		group: 'sign-in',
		title: 'Unknown fields',
		does: 'The token response has fields that the client does not know.',
		legal: 'RFC 6749 §5.1',
		needs: 'a call',
		judges: ['exchange.extra_fields']
	},
	{
		id: 'error_text',
		group: 'sign-in',
		title: 'Error text with HTML',
		does: 'The redirect back has an error whose description contains HTML. Links of an attacker have it in the code and the address of the error, and in the state.',
		legal: 'RFC 6749 §4.1.2.1',
		needs: 'a callback URL',
		judges: ['callback.error_escaped'],
		isRejected: true
	},
	{
		id: 'denied',
		group: 'sign-in',
		title: 'User denies access',
		does: 'The redirect back says that the user denied access.',
		legal: 'RFC 6749 §4.1.2.1',
		needs: 'a callback URL',
		judges: ['callback.denial'],
		isRejected: true
	},
	{
		id: 'metadata_issuer',
		group: 'sign-in',
		title: 'Metadata of another issuer',
		does: 'The metadata of the server names another issuer.',
		legal: 'RFC 8414 §3.3',
		needs: 'a client that reads the metadata at a sign-in',
		judges: ['request.metadata_issuer'],
		isRejected: true
	},
	{
		id: 'other_issuer',
		group: 'sign-in',
		title: 'Response of another issuer',
		does: 'The redirect back names another issuer, then one with a slash at its end, then none.',
		legal: 'RFC 9207 §2.4',
		needs: 'a callback URL',
		judges: ['callback.issuer'],
		isRejected: true
	},
	{
		id: 'moved_server',
		group: 'sign-in',
		title: 'Another authorization server',
		does: 'The metadata of the resource names another authorization server.',
		legal: 'RFC 9728 §2',
		needs: 'a client that reads the metadata of a resource at a sign-in',
		judges: ['exchange.issuer_credentials'],
		isRejected: true
	},
	{
		id: 'second_sign_in',
		group: 'sign-in',
		title: 'Second sign-in',
		does: 'The user signs in again. The response has no refresh token.',
		legal: '§ 3.1',
		needs: 'offline access',
		judges: ['token.keep_at_second_sign_in'],
		startsSignedIn: true
	},
	{
		id: 'other_user',
		group: 'sign-in',
		title: 'Two users',
		does: 'Two users use the client in turn, also after their access tokens end. Then the second one signs in in the browser of the first one.',
		legal: '§ 3.1',
		legalInStandard: 'RFC 6749 §4.1',
		needs: 'a call',
		judges: ['token.own_user', 'call.own_user']
	},
	...attackerProbeList,
	{
		id: 'lost_exchange',
		group: 'exchange',
		title: 'Lost response',
		does: 'The response to the code exchange is lost.',
		legal: 'RFC 6749 §4.1.2',
		needs: 'a sign-in',
		judges: ['exchange.one_try'],
		isRejected: true
	},
	{
		id: 'refused_exchange',
		group: 'exchange',
		title: 'Rejected code',
		does: 'The token endpoint rejects the code.',
		legal: 'RFC 6749 §5.2',
		needs: 'a call',
		judges: ['exchange.status'],
		isRejected: true
	},
	{
		...offline,
		id: 'early_end',
		title: 'Tokens end early',
		does: 'Access tokens end before their time, then five calls begin at once, and later another one.',
		legal: 'RFC 6750 §3.1',
		judges: ['token.one_refresh', 'token.notice_early_end']
	},
	{
		...offline,
		id: 'expired',
		title: 'Expired token',
		does: 'The access token expires.',
		legal: '§ 5.4',
		legalInStandard: 'RFC 6749 §5.1',
		judges: ['token.refresh_at_expiry']
	},
	{
		...offline,
		id: 'short_life',
		title: 'Tokens of five minutes',
		does: 'Access tokens live for five minutes only.',
		legal: '§ 2.4',
		legalInStandard: 'RFC 6749 §5.1',
		judges: ['token.refresh_when_due']
	},
	{
		...offline,
		id: 'always_401',
		title: '401 for every call',
		does: 'Each call gets 401, also with a new token.',
		legal: 'RFC 6750 §3.1',
		judges: ['token.stop_after_refresh']
	},
	{
		...offline,
		id: 'forbidden',
		title: '403 for every call',
		does: 'Each call gets 403: a permission is missing.',
		legal: 'RFC 6750 §3.1',
		judges: ['call.missing_permission']
	},
	{
		...offline,
		id: 'refresh_fails',
		title: 'Refresh fails',
		does: 'Refreshes get 503, then no response. A client that does not try again has 75 seconds for it.',
		legal: 'RFC 6749 §5.2',
		judges: ['token.keep_on_failure', 'limit.back_off']
	},
	{
		...offline,
		id: 'lost_refresh',
		title: 'Lost responses',
		does: 'The service refreshes tokens, but its responses are lost. Later they arrive again. A client that does not try again has 75 seconds for it.',
		legal: 'RFC 6749 §6',
		legalInStandard: 'RFC 9700 §4.14.2',
		judges: ['token.lost_refresh']
	},
	{
		...limits,
		id: 'cache',
		title: 'One name six times',
		does: 'The same name is read six times within a minute.',
		legal: '§ 8.9',
		judges: ['limit.cache']
	},
	{
		...limits,
		id: 'limited',
		title: 'Rate limit',
		does: 'The rate limit is three calls.',
		legal: '§ 8',
		legalInStandard: 'RFC 6585 §4',
		judges: ['limit.stop_at_zero', 'limit.few_refused', 'limit.not_a_sign_out', 'limit.after_reset']
	},
	{
		...limits,
		id: 'unavailable',
		title: '503 for every call',
		does: 'Each call gets 503.',
		legal: 'RFC 9110 §15.6.4',
		judges: ['limit.back_off', 'token.refresh_when_due']
	},
	{
		id: 'user_revoked',
		group: 'end',
		title: 'User revokes access',
		does: 'The user revokes access in the account settings of the service.',
		legal: '§ 3.1',
		legalInStandard: 'RFC 6749 §6',
		needs: 'offline access',
		judges: ['token.forget_dead'],
		startsSignedIn: true
	},
	{
		id: 'signed_out',
		group: 'end',
		title: 'Sign-out',
		does: 'The user signs out in the client.',
		legal: '§ 5.4',
		legalInStandard: 'RFC 7009 §2.1',
		needs: 'a sign-out',
		judges: ['signout.revoke', 'signout.no_use_after'],
		startsSignedIn: true,
		verb: 'signOut'
	},
	{
		id: 'blacklisted',
		group: 'end',
		title: 'Blacklisted',
		does: 'The service does not respond to the client.',
		legal: '§ 3.3',
		needs: 'a call',
		judges: ['limit.stop_when_blacklisted'],
		startsSignedIn: true
	}
];

/** The probes that a rule needs. Empty: any traffic shows it. */
export function probesOf(rule: string): readonly ProbeDescription[] {
	return probeList.filter(({ judges }) => judges.includes(rule));
}
