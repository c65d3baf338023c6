import { attackerOrigin } from '../engine/site.ts';
import type { LabCode } from '../engine/lab.ts';
import { parameterOf, type Message } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import { issuedTo, rejectedBy } from '../shared/misses.ts';
import { isHeld, isOwnRequest } from '../shared/moves.ts';

/** Where the attacker reads what arrives. */
const collect = `${attackerOrigin}/collect`;
/** A link of the client to other sites, behind a path that begins like the redirect URI. */
const detour = `${viewerOrigin}/callback/../out?to=${encodeURIComponent(collect)}`;

const arrivedFrom = (log: readonly Message[], from: string) =>
	log.find((one) => one.to === 'attacker_site' && one.from === from && parameterOf(one, 'code') !== undefined);

export const code: LabCode = {
	world: { weaknesses: ['redirect_uri_prefix'], holds: isOwnRequest },
	moves: {
		change_redirect: {
			isPossible: isHeld,
			act(run) {
				run.change('redirect_uri', detour);
				run.mark(detour);
			},
			isDone: ({ held, link }) =>
				held?.valueOf('redirect_uri') === detour || (link !== undefined && link.includes(encodeURIComponent('/out?')))
		},
		open_as_victim: {
			isDone: ({ log }) => log.some(({ from, to, method }) => from === 'victim' && to === 'service' && method === 'GET')
		},
		foreign_redirect: { isPossible: isHeld, act: (run) => run.change('redirect_uri', collect) }
	},
	misses: {
		foreign_host: {
			happened: rejectedBy('auth.redirect_uri_registered'),
			values: { whole_uri: (message) => parameterOf(message, 'redirect_uri') ?? 'none' }
		},
		own_code: { happened: (sent) => arrivedFrom(sent, 'attacker') },
		unchanged: {
			happened: (sent) =>
				sent.find(
					({ from, to, url }) =>
						from !== 'attacker_site' && to === 'client' && url.startsWith(`${viewerOrigin}/callback?`)
				)
		}
	},
	goal: (log) =>
		issuedTo(log, 'code', 'player-one', (id) => id === 'viewer') === undefined ? undefined : arrivedFrom(log, 'victim'),
	defenses: { right: { weaknesses: [] }, tooStrict: { weaknesses: [], registeredSuffix: '/' } }
};
