import type { LabCode } from '../engine/lab.ts';
import { arrivesAtClient, parameterOf, readIn, type Message } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import { ownExchange, rejectedBy } from '../shared/misses.ts';
import { isOwnRequest, visit } from '../shared/moves.ts';

const isOwnLook = ({ from, to, url }: Message) => from === 'attacker' && to === 'client' && url === `${viewerOrigin}/`;

export const code: LabCode = {
	world: { client: { session: 'of_start' }, holds: isOwnRequest },
	moves: {
		put_on_page: {
			act(run) {
				const state = run.held?.valueOf('state');
				run.putOnPage();
				if (state !== undefined) run.mark(state);
			}
		},
		look: {
			isPossible: ({ link }) => link !== undefined,
			act: visit('attacker', `${viewerOrigin}/`),
			isDone: ({ log }) => log.some(isOwnLook)
		}
	},
	misses: {
		state_removed: {
			happened: rejectedBy('client.state_known'),
			cases: { no_state: (message) => parameterOf(message, 'state') === undefined }
		},
		own_sign_in: ownExchange,
		too_early: {
			happened: (sent, { log }) => (log.some((one) => arrivesAtClient(one)) ? undefined : sent.find(isOwnLook))
		}
	},
	goal: (log) => readIn(log, 'attacker', 'player-one'),
	defenses: { right: { client: { session: 'of_browser' } } }
};
