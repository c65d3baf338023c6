import { bankClient, bankOrigin, GuildBank } from '../engine/guild-bank.ts';
import type { LabCode } from '../engine/lab.ts';
import type { LabRun, LabWorld } from '../engine/lab-run.ts';
import { codeUsed, rejectedBy } from '../shared/misses.ts';
import { guildBoard, hasCopied, hasReceivedCode, readCharacter, receivedCode, send, visit } from '../shared/moves.ts';

const withBank = (audience: 'any' | 'client' | 'url'): Pick<LabWorld, 'sites'> => ({
	sites: (run) => ({
		[bankOrigin]: {
			party: 'resource',
			site: new GuildBank({
				baseUrl: run.service.baseUrl,
				secretOf: () => run.secrets.get(bankClient) ?? '',
				audience,
				random: run.random('bank')
			})
		}
	})
});

const copiedToken = ({ copied }: LabRun) => copied.get('access_token');
const openAccount = (tokenOf: (run: LabRun) => string | undefined) =>
	send((run) => ({ method: 'GET', url: `${bankOrigin}/account`, authorization: `Bearer ${tokenOf(run) ?? ''}` }));
const accountOf = (from: string, username: string): LabCode['goal'] => {
	const shown = `Account of ${username}`;
	return (log) => log.find((one) => one.from === from && one.to === 'resource' && one.outcome === shown);
};

export const code: LabCode = {
	world: {
		settings: { dialect: 'standard' },
		applications: [guildBoard, { client_id: bankClient, name: 'Guild bank', redirect_uri: `${bankOrigin}/callback` }],
		...withBank('any')
	},
	moves: {
		open_as_victim: { isDone: hasReceivedCode },
		send: {
			isPossible: hasCopied('access_token'),
			act: openAccount(copiedToken),
			isDone: ({ log }) =>
				log.some(
					({ from, to, rejection }) =>
						from === 'attacker' && to === 'resource' && rejection?.id !== 'resource.token_sent'
				)
		},
		send_nothing: { act: send(() => ({ method: 'GET', url: `${bankOrigin}/account` })) },
		read_character: { isPossible: hasCopied('access_token'), act: readCharacter(copiedToken) },
		send_code: { isPossible: hasReceivedCode, act: openAccount(receivedCode) }
	},
	misses: {
		own_token: { happened: accountOf('attacker', 'player-three') },
		code_sent: { happened: rejectedBy('resource.token_active') },
		code_used: codeUsed
	},
	goal: accountOf('attacker', 'player-one'),
	defenses: { right: withBank('client'), tooStrict: withBank('url') },
	goodUser: visit('good_user', `${bankOrigin}/start`),
	findGoodUser: accountOf('good_user', 'player-two')
};
