import type { LabCode, Move } from '../engine/lab.ts';
import { shorten } from '../engine/message.ts';
import { viewerName } from '../engine/viewer-pages.ts';
import { issuedTo, rejectedBy } from '../shared/misses.ts';
import { guildBoard, hasCopied, linkToSignIn, sendForm } from '../shared/moves.ts';

/** Registers an application of the attacker in the console. */
const register = (name: string): Move => ({
	async act(run) {
		const known = run.registered.get(name);
		if (known !== undefined) return run.copy('client_id', known);
		const body = { name, kind: 'web' as const, redirect_uris: [guildBoard.redirect_uri] };
		const { client_id } = await run.service.api.request('POST /control/applications', { body });
		run.registered = new Map([...run.registered, [name, client_id]]);
		run.copy('client_id', client_id);
	}
});
const isPossible = hasCopied('client_id');

export const code: LabCode = {
	world: {
		weaknesses: ['consent_without_host'],
		// The victim reads the page: a known name, and a known host where one is shown.
		async before({ browsers }) {
			browsers.victim.allows = (text) =>
				text.includes(`${viewerName}</`) && (!text.includes('be redirected to') || text.includes('viewer.example'));
		}
	},
	moves: {
		register: {
			...register(viewerName),
			isDone: (run) => isPossible(run) && run.copied.get('client_id') === run.registered.get(viewerName)
		},
		link: {
			isPossible,
			act: (run) => linkToSignIn(run, run.copied.get('client_id')),
			isDone: ({ link, copied }) => link !== undefined && link.includes(copied.get('client_id') ?? '-')
		},
		open_as_victim: { isDone: ({ log }) => log.some(({ from, to }) => from === 'victim' && to === 'service') },
		register_own: register('Guild board'),
		register_support: register('Tollgate support'),
		link_to_viewer: { isPossible, act: (run) => linkToSignIn(run, 'viewer') },
		exchange_nothing: {
			isPossible,
			act: sendForm('token/', ({ copied }) => ({
				grant_type: 'client_credentials',
				client_id: copied.get('client_id') ?? ''
			}))
		}
	},
	misses: {
		unknown_name: {
			happened: (sent) => sent.find(({ from, form }) => from === 'victim' && form.includes('decision=deny')),
			values: {
				name: (_, { registered, copied }) => [...registered].find(([, id]) => id === copied.get('client_id'))?.[0] ?? ''
			}
		},
		foreign_client: { happened: rejectedBy('auth.redirect_uri_registered') },
		own_permission: {
			happened: (sent) => issuedTo(sent, 'code', 'player-three', (id) => id !== 'viewer'),
			values: { client: ({ entry }) => shorten(entry?.client_id ?? '') }
		}
	},
	goal: (log) => issuedTo(log, 'code', 'player-one', (id) => id !== 'viewer'),
	defenses: { right: { weaknesses: [] } },
	rejected: (log) =>
		log.find(({ from, to, form }) => from === 'victim' && to === 'service' && form.includes('decision=deny'))
};
