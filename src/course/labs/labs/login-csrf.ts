import type { LabCode } from '../engine/lab.ts';
import { readIn } from '../engine/message.ts';
import { sharedDefenses } from '../shared/defenses.ts';
import { expired, ownExchange, rejectedBy } from '../shared/misses.ts';
import { isOwnResponse } from '../shared/moves.ts';

export const code: LabCode = {
	world: { client: { state: 'if_sent', pkce: false }, holds: isOwnResponse },
	moves: {
		remove_state: {
			isDone: ({ held, link }) =>
				(held !== undefined && held.valueOf('state') === undefined) ||
				(link !== undefined && !new URL(link).searchParams.has('state'))
		}
	},
	misses: {
		expired,
		own_exchange: ownExchange,
		state_kept: {
			happened: rejectedBy('client.sent_state_matches'),
			cases: { no_session: ({ rejection }) => rejection?.expected?.includes(' ') === true }
		},
		code_removed: { happened: rejectedBy('client.code_present') }
	},
	checked: { no_state: ({ held }) => held?.valueOf('state') === undefined },
	goal: (log) => readIn(log, 'victim', 'player-three'),
	defenses: {
		right: { client: { state: 'compared' } },
		otherAttack: { ...sharedDefenses.dpop, weaknesses: ['challenge_optional'] }
	}
};
