import type { LabCode } from '../engine/lab.ts';
import type { LabRun } from '../engine/lab-run.ts';
import { parameterOf, type Message } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import { rejectedBy } from '../shared/misses.ts';
import { hasCopied, readCharacter, sendForm, visit } from '../shared/moves.ts';
import { storedTokens } from '../shared/stored-tokens.ts';

/** Longer than an access token lives, in milliseconds. */
const twoHours = 2 * 60 * 60_000;

const isRefreshBy = (from: string) => (message: Message) =>
	parameterOf(message, 'grant_type') === 'refresh_token' && message.from === from;
const refreshedBy = (log: readonly Message[], from: string) =>
	log.find((message) => isRefreshBy(from)(message) && message.status === 200);
const backedUp = ({ backup }: LabRun) => backup[0]?.refresh ?? '';
const readWithAccess = readCharacter(({ backup }) => backup[0]?.access);

export const code: LabCode = {
	subject: storedTokens,
	world: {
		settings: { dialect: 'standard' },
		weaknesses: ['refresh_token_kept'],
		isPublic: true,
		before: visit('victim', `${viewerOrigin}/start`)
	},
	moves: {
		copy_refresh_token: {
			act: (run) => run.copy('refresh_token', backedUp(run)),
			isDone: hasCopied('refresh_token')
		},
		victim_returns: {
			act({ clock, browsers }) {
				clock.advance(twoHours);
				return browsers.victim.open(`${viewerOrigin}/`);
			},
			isDone: ({ log }) => log.some(isRefreshBy('client'))
		},
		refresh: {
			isPossible: hasCopied('refresh_token'),
			act: sendForm(
				'token/',
				({ copied }) => ({
					grant_type: 'refresh_token',
					refresh_token: copied.get('refresh_token') ?? '',
					client_id: 'viewer'
				}),
				['access_token']
			),
			isDone: ({ log }) => log.some(isRefreshBy('attacker'))
		},
		use_access_token: {
			act(run) {
				run.clock.advance(twoHours);
				return readWithAccess(run);
			}
		},
		read_at_once: { act: readWithAccess },
		read_with_refresh_token: { act: readCharacter(backedUp) },
		refresh_as_other: {
			act: sendForm('token/', (run) => ({
				grant_type: 'refresh_token',
				refresh_token: backedUp(run),
				client_id: 'guild-board'
			}))
		},
		introspect: { act: sendForm('introspect', (run) => ({ token: backedUp(run), client_id: 'viewer' })) }
	},
	misses: {
		expired_access: {
			happened: (sent) => rejectedBy('access_token.known')(sent.filter(({ from }) => from === 'attacker'))
		},
		only_holder: {
			happened: (sent, { log }) => (refreshedBy(log, 'client') ? undefined : refreshedBy(sent, 'attacker'))
		},
		only_victim: {
			happened: (sent, { log }) => (refreshedBy(log, 'attacker') ? undefined : refreshedBy(sent, 'client'))
		}
	},
	goal(log) {
		const [own, foreign] = [refreshedBy(log, 'client'), refreshedBy(log, 'attacker')];
		if (own === undefined || foreign === undefined) return undefined;
		const isSame = parameterOf(own, 'refresh_token') === parameterOf(foreign, 'refresh_token');
		return isSame ? (own.id > foreign.id ? own : foreign) : undefined;
	},
	defenses: { right: { weaknesses: [] } }
};
