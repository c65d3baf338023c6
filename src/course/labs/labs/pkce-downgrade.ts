import type { LabCode } from '../engine/lab.ts';
import { parameterOf, readIn, type Message } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import { expired, ownExchange, rejectedBy } from '../shared/misses.ts';
import { holds, isOwnResponse } from '../shared/moves.ts';

/** An exchange that ended at its verifier. @param isSent whether there was one */
const rejectedVerifier = (isSent: boolean) => (sent: readonly Message[]) =>
	rejectedBy('token.code_verifier_matches')(
		sent.filter((message) => (parameterOf(message, 'code_verifier') !== undefined) === isSent)
	);

export const code: LabCode = {
	world: {
		settings: { dialect: 'standard' },
		weaknesses: ['challenge_optional'],
		client: { state: 'ignored' },
		holds: (message) =>
			isOwnResponse(message) ||
			(message.from === 'attacker' &&
				message.to === 'service' &&
				new URL(message.url).searchParams.has('code_challenge')),
		before: ({ browsers }) => browsers.victim.look(`${viewerOrigin}/start`)
	},
	moves: {
		remove_challenge: {
			isPossible: holds('code_challenge'),
			act(run) {
				run.change('code_challenge', undefined);
				run.change('code_challenge_method', undefined);
			},
			isDone: ({ held, log, link }) =>
				link !== undefined ||
				(held !== undefined && held.valueOf('code_challenge') === undefined) ||
				log.some(
					({ from, to, url }) =>
						from === 'attacker' && to === 'service' && url.includes('client_id') && !url.includes('code_challenge')
				)
		},
		send_on: {
			isPossible: holds('client_id'),
			async act(run) {
				await run.release({ holdsNext: true });
				const code = run.held?.valueOf('code');
				if (code !== undefined) run.mark(code);
			},
			isDone: ({ held, link }) => held?.valueOf('code') !== undefined || link !== undefined
		},
		put_on_page: { isPossible: holds('code') }
	},
	misses: {
		expired,
		challenge_kept: { happened: rejectedVerifier(true) },
		verifier_missing: { happened: rejectedVerifier(false) },
		own_exchange: ownExchange
	},
	checked: { response: ({ held }) => held?.valueOf('client_id') === undefined },
	goal: (log) => readIn(log, 'victim', 'player-three'),
	defenses: { right: { weaknesses: [] }, noEffect: { client: { verifierBytes: 96 } } }
};
