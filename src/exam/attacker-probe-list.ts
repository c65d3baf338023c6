import type { ProbeDescription } from './probe-description.ts';

/** Forgery of authorization responses. */
const forgery = { group: 'attacker', needs: 'a callback URL', isRejected: true, verb: 'attack' } as const;

/** The probes of the group `attacker`. */
export const attackerProbeList: readonly ProbeDescription[] = [
	{
		...forgery,
		id: 'unsolicited',
		title: 'Code without a sign-in',
		does: 'A link has a code of another user and a made-up state, while no sign-in is open.',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.foreign_code']
	},
	{
		...forgery,
		id: 'nothing',
		title: 'No open sign-in',
		does: 'A link has a code of another user and no state, while no sign-in is open.',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.state_required']
	},
	{
		...forgery,
		id: 'no_state',
		title: 'No state',
		does: 'A link has a code of another user and no state, while a sign-in is open. Another link has an empty one.',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.state_required']
	},
	{
		...forgery,
		id: 'wrong_state',
		title: 'Wrong state',
		does: 'A link has a code of another user and a wrong state, while a sign-in is open. Another link has only the start of the right state, a third one all but its middle, a fourth one the other letter case.',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.foreign_code']
	},
	{
		...forgery,
		id: 'other_browser',
		title: 'State of another browser',
		does: 'A link has a code of another user and the state of another browser.',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.state_of_browser']
	},
	{
		...forgery,
		id: 'used_state',
		title: 'State used before',
		does: 'A link has a code of another user and the state of a finished sign-in.',
		legal: 'RFC 9700 §4.7',
		judges: ['callback.state_once']
	}
];
