import type { LabCode } from '../engine/lab.ts';
import type { LabRun } from '../engine/lab-run.ts';
import { arrivesAtClient, readIn } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import { sharedDefenses } from '../shared/defenses.ts';
import { expired, ownExchange, rejectedBy } from '../shared/misses.ts';

/** In milliseconds. */
const codeLifetime = 600_000;

/** The victim signs in, and the redirect with the code is lost. The proxy writes it to its log. */
async function loseCode(run: LabRun): Promise<void> {
	const lost = await run.lose(() => run.browsers.victim.open(`${viewerOrigin}/start`));
	const code = lost?.valueOf('code');
	if (code !== undefined) run.leaked = { code, at: run.clock.now() };
}

export const code: LabCode = {
	world: {
		client: { pkce: false },
		holds: (message) => arrivesAtClient(message) && (message.from === 'attacker' || message.from === 'victim'),
		before: loseCode
	},
	moves: {
		copy_code: {
			isPossible: ({ leaked }) => leaked !== undefined,
			act: (run) => run.copy('code', run.leaked?.code ?? ''),
			isDone: ({ copied, leaked, clock }) =>
				leaked !== undefined && copied.get('code') === leaked.code && clock.now() < leaked.at + codeLifetime
		},
		swap_code: {
			isPossible: ({ held, copied }) => held !== undefined && copied.has('code'),
			act: (run) => run.change('code', run.copied.get('code')),
			isDone: ({ held, copied, log }) =>
				copied.has('code') &&
				(held?.valueOf('code') === copied.get('code') ||
					log.some((message) => arrivesAtClient(message) && message.url.includes(copied.get('code') ?? '-')))
		},
		deliver: {
			isPossible: ({ held }) => held?.isChanged === true,
			act: (run) => run.release(),
			isDone: ({ log }) =>
				log.some((one) => arrivesAtClient(one) && one.from === 'attacker' && one.state === 'responded')
		},
		victim_again: { act: loseCode }
	},
	misses: { expired, own_code: ownExchange, state_removed: { happened: rejectedBy('client.state_matches') } },
	goal: (log) => readIn(log, 'attacker', 'player-one'),
	defenses: {
		right: { client: { pkce: true } },
		otherAttack: { ...sharedDefenses.dpop, weaknesses: ['challenge_optional'] }
	}
};
