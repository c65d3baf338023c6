import { issued } from '#evidence/exchanges.ts';
import type { LabCode, Move } from '../engine/lab.ts';
import type { Message } from '../engine/message.ts';
import { codeUsed } from '../shared/misses.ts';
import {
	boardCredentials,
	exchangeReceived,
	guildBoard,
	hasCopied,
	hasReceivedCode,
	linkToSignIn,
	sendForm
} from '../shared/moves.ts';

/** The permission that the victim does not see. */
const more = 'inventory_read';

const refreshes = (log: readonly Message[], username: string, isWider: boolean) =>
	log.find(({ entry, form }) => {
		const scopes = entry?.username === username ? issued(entry, 'access_token')?.scopes : undefined;
		return form.includes('grant_type=refresh_token') && scopes !== undefined && scopes.includes(more) === isWider;
	});

const refresh = (
	scope: { readonly scope?: string } = {},
	credentials: Parameters<typeof sendForm>[1] = boardCredentials
): Move => ({
	isPossible: hasCopied('refresh_token'),
	act: sendForm(
		'token/',
		(run) => ({
			grant_type: 'refresh_token',
			refresh_token: run.copied.get('refresh_token') ?? '',
			...credentials(run),
			...scope
		}),
		['refresh_token']
	)
});

export const code: LabCode = {
	world: {
		settings: { dialect: 'standard' },
		weaknesses: ['scope_widened'],
		applications: [guildBoard]
	},
	moves: {
		link: { act: (run) => linkToSignIn(run, 'guild-board', 'character_read') },
		open_as_victim: { isDone: hasReceivedCode },
		exchange: exchangeReceived('refresh_token'),
		widen: {
			...refresh({ scope: `character_read ${more}` }),
			isDone: ({ log }) => log.some(({ form }) => form.includes(more))
		},
		refresh: refresh(),
		refresh_location: refresh({ scope: 'character_read location_read' }),
		refresh_bare: refresh({}, () => ({ client_id: 'guild-board' }))
	},
	misses: {
		same_scope: {
			happened: (sent) => refreshes(sent, 'player-one', false),
			values: { scopes: ({ entry }) => (entry && issued(entry, 'access_token')?.scopes.join(' ')) ?? '' }
		},
		own_account: { happened: (sent) => refreshes(sent, 'player-three', true) },
		code_used: codeUsed
	},
	goal: (log) => refreshes(log, 'player-one', true),
	defenses: { right: { weaknesses: [] } }
};
