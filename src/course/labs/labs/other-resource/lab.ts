import { defenses } from '../defenses.ts';
import { attackerOrigin } from '../../engine/attacker-site.ts';
import { bankClient, bankOrigin, GuildBank } from '../../engine/guild-bank.ts';
import type { Lab } from '../../engine/lab.ts';
import type { LabWorld } from '../../engine/lab-run.ts';
import {
	ask,
	rejectedBy,
	exchangeReceived,
	linkToOwn,
	openAsAttacker,
	openAsVictim,
	receivedCode,
	tools,
	valueIn
} from '../actions.ts';

const withBank = (audience: 'any' | 'client' | 'url'): Required<Pick<LabWorld, 'sites'>> => ({
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

export const lab: Lab = {
	briefing:
		'Guild bank takes access tokens of Tollgate. You run **Guild board**, which the victim may use. Read the victim’s account at the bank with the token that Guild board got.',
	code: {
		file: 'account.ts of Guild bank',
		line: 7,
		wrong: 'const user = await userOf(token);\n// works at Tollgate: accepted',
		marked: '// works at Tollgate: accepted',
		right:
			'const { active } = await introspect(token, ownClient);\nif (!active) throw new AudienceError();\nconst user = await userOf(token);'
	},
	tools: [tools.application, tools.requests, tools.page],
	parties: [
		{ party: 'attacker', name: 'Attacker' },
		{ party: 'victim', name: 'Victim' },
		{ party: 'resource', name: 'Guild bank' },
		{ party: 'service', name: 'Tollgate' }
	],
	world: {
		settings: { dialect: 'standard' },
		applications: [
			{ client_id: 'guild-board', name: 'Guild board', redirect_uri: `${attackerOrigin}/callback` },
			{ client_id: bankClient, name: 'Guild bank', redirect_uri: `${bankOrigin}/callback` }
		],
		...withBank('any')
	},
	steps: [
		{ ...linkToOwn(), text: 'Guild board asks for the permission to read characters. That is all the victim sees.' },
		{
			text: 'The victim signs in, and allows Guild board to read characters. Nothing is wrong so far.',
			...openAsVictim,
			isDone: (run) => receivedCode(run) !== undefined
		},
		{ ...exchangeReceived(), text: 'Your own client exchanges its own code. The token is for Guild board.' },
		{
			title: 'Send the token to Guild bank',
			text: 'Use the token at a server that it was not issued for.',
			id: 'send',
			label: 'Send to Guild bank',
			isPossible: ({ copied }) => copied.has('access_token'),
			act: async (run) =>
				void (await run.sendAsAttacker({
					method: 'GET',
					url: `${bankOrigin}/account`,
					authorization: `Bearer ${run.copied.get('access_token') ?? ''}`
				})),
			isDone: ({ log }) =>
				log.some(
					({ from, to, rejection }) =>
						from === 'attacker' && to === 'resource' && rejection?.id !== 'resource.token_sent'
				)
		}
	],
	detours: [
		openAsAttacker,
		{
			id: 'send_nothing',
			label: 'Open Guild bank without a token',
			isPossible: () => true,
			act: async (run) => void (await run.sendAsAttacker({ method: 'GET', url: `${bankOrigin}/account` }))
		},
		{
			id: 'read_character',
			label: 'Read a character with the token',
			isPossible: ({ copied }) => copied.has('access_token'),
			act: async (run) =>
				void (await run.sendAsAttacker({
					method: 'GET',
					url: `${run.service.baseUrl}/ws/v2.0/character/${encodeURIComponent('Mara Vell')}`,
					authorization: `Bearer ${run.copied.get('access_token') ?? ''}`
				}))
		},
		{
			id: 'send_code',
			label: 'Send the code to Guild bank',
			isPossible: (run) => receivedCode(run) !== undefined,
			act: async (run) =>
				void (await run.sendAsAttacker({
					method: 'GET',
					url: `${bankOrigin}/account`,
					authorization: `Bearer ${receivedCode(run) ?? ''}`
				}))
		}
	],
	nearMisses: {
		own_token: {
			happened: (sent) => sent.find(({ to, outcome }) => to === 'resource' && outcome === 'Account of player-three'),
			text: ({ outcome }) => `Guild bank shows “${outcome}”: the token that you sent is of your own account.`,
			look: 'the browser that brought the code of this token.'
		},
		code_sent: {
			happened: rejectedBy('resource.token_active'),
			text: ({ outcome }) => `Guild bank recorded “${outcome}”. What you sent works for no character at Tollgate.`,
			look: 'the card of what you have copied, and its name.'
		},
		code_used: {
			happened: rejectedBy('token.code_not_used'),
			text: (message) =>
				`The code ${valueIn(message, 'code')} was exchanged before. Tollgate ended the tokens that it led to.`,
			look: 'the first exchange of this code.'
		}
	},
	goal: {
		text: 'The account of **player-one** opens at Guild bank, with a token for Guild board',
		find: (log) =>
			log.find(
				({ from, to, outcome }) => from === 'attacker' && to === 'resource' && outcome === 'Account of player-one'
			)
	},
	happened: {
		title: 'A key for another door',
		paragraphs: [
			'The victim allowed Guild board to read characters. Guild bank asked Tollgate whether the token works, and **which user** it has. It never asked for which client it was issued.',
			'Each application with a token of the victim can be the victim at the bank.'
		],
		why: [
			{ isRight: false, text: 'Guild bank took each token that works' },
			{ isRight: false, text: 'A valid token says who allowed, not for which server' },
			{ isRight: true, text: 'The victim allowed only what Guild board asked for' }
		]
	},
	defense: {
		title: 'Check the audience',
		text: 'Tollgate tells a client about its own tokens only. For all others it says: not active (RFC 7662).',
		others: ['An `aud` in the token, which names the server', 'A token for each server (RFC 8707)'],
		world: withBank('client')
	},
	wrongDefenses: {
		tooStrict: {
			title: 'Compare aud with the own URL',
			code: 'if (aud !== ownUrl)\n  throw new AudienceError();',
			file: 'account.ts of Guild bank, line 8',
			section: 'RFC 8707 §2',
			text: 'The tokens of Guild bank’s own sign-in name no `aud`: it never asks for one with `resource`.',
			world: withBank('url')
		},
		noEffect: defenses.shortTokens,
		otherAttack: defenses.signedTokens
	},
	rejected: {
		id: 'resource.audience',
		title: 'The token is for this server',
		text: 'Check of the resource, line 8. Tollgate said that the token is not active for Guild bank.',
		place: 'resource',
		section: 'RFC 9700 §2.3'
	},
	defended: {
		title: 'Not for this server',
		text: 'The token still works for what the victim allowed. Guild bank asked with its own credentials, and did not accept the token of another application.'
	},
	goodUser: async ({ browsers }) => void (await browsers.good_user.open(`${bankOrigin}/start`)),
	findGoodUser: (log) =>
		log.find(
			({ from, to, outcome }) => from === 'good_user' && to === 'resource' && outcome === 'Account of player-two'
		),
	remains: [
		{ text: 'A token that is copied from a store', lab: 'refresh-token-theft' },
		{ text: 'Only needed permissions are requested', rule: 'request.scope_needed' }
	],
	ownClient: [
		'A server that takes access tokens checks that each was issued for it: `aud`, or introspection with its own credentials.',
		'Never sign a user in with an access token that another client handed you. Use an ID token, and compare its `aud`.'
	],
	hints: [
		'Which token can you get without any trick?',
		'Look at what Guild bank asks Tollgate about a token.',
		'Your own application gets a token of each user who allows it. The tool that sends requests can use it anywhere.'
	],
	questions: [
		ask(
			'Which tokens must Guild bank accept?',
			['Those that were issued for Guild bank', 'The audience decides, not the user.'],
			['Each valid token of Tollgate', 'Then each other application can use it.'],
			['Those with the right scope', 'A scope says what, not where.']
		)
	],
	notes: ['Agents that pass the user’s token on to another server make the same mistake in the other direction.']
};
