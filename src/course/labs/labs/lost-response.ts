import type { LabCode } from '../engine/lab.ts';
import type { LabRun } from '../engine/lab-run.ts';
import { arrivesAtClient, parameterOf, readIn, type Message } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import { hasCopied, sendForm, signInGoodUser, visit } from '../shared/moves.ts';
import { storedTokens } from '../shared/stored-tokens.ts';

const refreshes = (log: readonly Message[], from: string) =>
	log.filter((message) => message.from === from && parameterOf(message, 'grant_type') === 'refresh_token');

const refreshCopy = sendForm('token/', ({ backup }) => ({
	grant_type: 'refresh_token',
	refresh_token: backup[0]?.refresh ?? '',
	client_id: 'viewer'
}));
/** The copy is used outside the grace. */
function steal(run: LabRun): Promise<void> {
	run.clock.advance(60_000);
	return refreshCopy(run);
}

export const code: LabCode = {
	subject: storedTokens,
	world: {
		settings: { dialect: 'standard', lifetimes: { access_token: 1200 } },
		isPublic: true,
		before: visit('victim', `${viewerOrigin}/start`)
	},
	moves: {
		lose: {
			async act(run) {
				await run.service.api.request('DELETE /control/faults');
				const body = { kind: 'drop', endpoint: 'token', after_commit: true } as const;
				await run.service.api.request('POST /control/faults', { body });
				run.copy('lost', 'the next response of the token endpoint');
			},
			isDone: hasCopied('lost')
		},
		victim_returns: {
			act({ clock, browsers }) {
				clock.advance(30 * 60_000);
				return browsers.victim.open(`${viewerOrigin}/`);
			},
			// Only the goal shows it.
			isDone: () => false
		},
		steal: { isPossible: ({ backup }) => backup.length > 0, act: steal },
		look_now: { act: visit('victim', `${viewerOrigin}/`) },
		victim_signs_in: {
			async act(run) {
				await run.service.api.request('DELETE /control/faults');
				await run.browsers.victim.open(`${viewerOrigin}/start`);
				run.backup = run.viewer.stored;
			}
		}
	},
	misses: {
		nothing_lost: {
			happened: (sent) => (refreshes(sent, 'client').length === 1 ? readIn(sent, 'victim', 'player-one') : undefined)
		},
		a_theft: { happened: (sent) => refreshes(sent, 'attacker')[0] },
		ended_before: { happened: (sent) => sent.find(({ to, outcome }) => to === 'client' && outcome === 'Signed out') }
	},
	goal(all) {
		// What was stolen before the newest sign-in does not count.
		const from = all.findLastIndex((message) => arrivesAtClient(message) && message.status === 303);
		const log = all.slice(from + 1);
		return refreshes(log, 'attacker').length > 0
			? undefined
			: refreshes(log, 'client').find(({ rejection }) => rejection?.id === 'token.refresh_token_not_used');
	},
	defenses: {
		right: { settings: { dialect: 'standard', lifetimes: { access_token: 1200, rotation_grace: 30 } } }
	},
	rejected(log) {
		const [lost, again] = refreshes(log, 'client');
		const isSame =
			lost !== undefined &&
			again !== undefined &&
			parameterOf(lost, 'refresh_token') === parameterOf(again, 'refresh_token');
		return isSame && lost.status === undefined && again.status === 200 ? again : undefined;
	},
	async goodUser(run) {
		await signInGoodUser(run);
		await steal(run);
	}
};
