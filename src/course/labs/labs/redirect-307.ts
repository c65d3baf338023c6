import { attackerOrigin } from '../engine/site.ts';
import type { LabCode } from '../engine/lab.ts';
import { parameterOf, type Message } from '../engine/message.ts';
import { boardCredentials, guildBoard, linkToSignIn, ownRequest, send, sendForm } from '../shared/moves.ts';

const arrived = (log: readonly Message[], from: string) =>
	log.findLast((message) => message.from === from && message.url.startsWith(`${attackerOrigin}/callback`));
/** The message of the victim that brought a field of a form of Tollgate. */
const bodyWith = (field: string) => (log: readonly Message[]) => {
	const message = arrived(log, 'victim');
	return message !== undefined && parameterOf(message, field) !== undefined ? message : undefined;
};
const findPassword = bodyWith('password');
const guessed = { username: 'player-one', password: 'guess' };

export const code: LabCode = {
	world: {
		weaknesses: ['redirect_307'],
		applications: [guildBoard],
		before: ({ service }) =>
			service.api.request('POST /control/authorizations', {
				body: { username: 'player-one', query: ownRequest('guild-board') }
			})
	},
	moves: {
		link: { isDone: ({ link }) => link !== undefined && !link.includes('inventory_read') },
		open_as_victim: { isDone: ({ log }) => findPassword(log) !== undefined },
		password_grant: {
			act: sendForm('token/', (run) => ({ grant_type: 'password', ...guessed, ...boardCredentials(run) }))
		},
		as_application: {
			act: sendForm('token/', (run) => ({ grant_type: 'client_credentials', ...boardCredentials(run) }))
		},
		own_post: { act: send(() => ({ method: 'POST', url: guildBoard.redirect_uri, form: guessed })) },
		link_to_more: {
			act: (run) => linkToSignIn(run, 'guild-board', 'character_read location_read inventory_read')
		},
		// The victim has closed the browser in the evening.
		tomorrow: {
			act({ clock, browsers }) {
				clock.advance(24 * 60 * 60_000);
				browsers.victim.restart();
			}
		}
	},
	misses: {
		own_password: { happened: (sent) => arrived(sent, 'attacker') },
		consent: { happened: bodyWith('decision') },
		signed_in: {
			happened: (sent) => sent.find((message) => message === arrived(sent, 'victim') && message.method === 'GET')
		}
	},
	goal: findPassword,
	defenses: { right: { weaknesses: [] } },
	rejected(log) {
		const message = arrived(log, 'victim');
		return message?.method === 'GET' && message.form === '' ? message : undefined;
	}
};
