import { defenses } from '../defenses.ts';
import { issued } from '#evidence/exchanges.ts';
import { attackerOrigin } from '../../engine/attacker-site.ts';
import type { Lab, LabAction } from '../../engine/lab.ts';
import type { Message } from '../../engine/message.ts';
import {
	ask,
	exchangeReceived,
	linkToOwn,
	openAsAttacker,
	openAsVictim,
	receivedCode,
	rejectedBy,
	sendForm,
	signInParties,
	tools,
	valueIn
} from '../actions.ts';

/** The permission that the victim does not see. */
const more = 'inventory_read';

const refreshes = (log: readonly Message[], username: string, isWider: boolean) =>
	log.find(({ entry, form }) => {
		const scopes = entry?.username === username ? issued(entry, 'access_token')?.scopes : undefined;
		return form.includes('grant_type=refresh_token') && scopes !== undefined && scopes.includes(more) === isWider;
	});

/** @param hasSecret whether it is sent */
const refresh = (id: string, label: string, scope?: string, hasSecret = true): LabAction => ({
	id,
	label,
	isPossible: ({ copied }) => copied.has('refresh_token'),
	async act(run) {
		const form = {
			grant_type: 'refresh_token',
			refresh_token: run.copied.get('refresh_token') ?? '',
			client_id: 'guild-board',
			...(hasSecret && { client_secret: run.secrets.get('guild-board') ?? '' }),
			...(scope !== undefined && { scope })
		};
		await sendForm(run, 'token/', form, ['refresh_token']);
	}
});

export const lab: Lab = {
	briefing:
		'The victim lets your Guild board read characters, and nothing else. Get a token that also reads the victim’s **inventory**, without asking again.',
	code: {
		file: 'refresh.ts of Tollgate',
		line: 21,
		wrong: 'const scopes = form.scope ?? token.scopes;\nreturn tokenFor(scopes);',
		marked: 'form.scope',
		right: 'const scopes = form.scope ?? token.scopes;\nreturn tokenFor(within(token.scopes, scopes));'
	},
	tools: [tools.application, tools.requests, tools.page],
	parties: signInParties.map((one) => (one.party === 'client' ? { party: 'attacker_site', name: 'Guild board' } : one)),
	world: {
		settings: { dialect: 'standard' },
		weaknesses: ['scope_widened'],
		applications: [{ client_id: 'guild-board', name: 'Guild board', redirect_uri: `${attackerOrigin}/callback` }]
	},
	steps: [
		{
			...linkToOwn('character_read'),
			text: 'Ask for one harmless permission, so that the victim allows it: `character_read`.'
		},
		{
			text: 'The consent page lists one permission. The victim reads it, and allows it.',
			...openAsVictim,
			isDone: (run) => receivedCode(run) !== undefined
		},
		{
			...exchangeReceived('refresh_token'),
			text: 'Your application gets an access token for `character_read`, and a refresh token.'
		},
		{
			title: 'Refresh with more scopes',
			text: 'A refresh may ask for **fewer** scopes. Ask for more: add `inventory_read`.',
			...refresh('widen', 'Refresh with inventory_read', `character_read ${more}`),
			isDone: ({ log }) => log.some(({ form }) => form.includes(more))
		}
	],
	detours: [
		openAsAttacker,
		refresh('refresh', 'Refresh'),
		refresh('refresh_location', 'Refresh with location_read', 'character_read location_read'),
		refresh('refresh_bare', 'Refresh without the secret', undefined, false)
	],
	nearMisses: {
		same_scope: {
			happened: (sent) => refreshes(sent, 'player-one', false),
			text: ({ entry }) =>
				`The new token has the permissions \`${(entry && issued(entry, 'access_token')?.scopes.join(' ')) ?? ''}\`. The victim has granted them.`,
			look: 'the wrong line: where do the scopes come from?'
		},
		own_account: {
			happened: (sent) => refreshes(sent, 'player-three', true),
			text: ({ entry }) => `That token is of ${entry?.username ?? ''}: you allowed your own application.`,
			look: 'the browser that brought the code.'
		},
		code_used: {
			happened: rejectedBy('token.code_not_used'),
			text: (message) =>
				`The code ${valueIn(message, 'code')} was exchanged before. Tollgate ended the tokens that it led to.`,
			look: 'the first exchange of this code.'
		}
	},
	goal: {
		text: 'A token of **player-one** has a permission that was not granted',
		find: (log) => refreshes(log, 'player-one', true)
	},
	happened: {
		title: 'More than the victim allowed',
		paragraphs: [
			'The consent page had one line. The token of the refresh has **two** permissions: Tollgate took them from your request, not from the grant.',
			'The victim sees nothing: a refresh has no page.'
		],
		why: [
			{ isRight: false, text: 'Scopes came from the request of the client' },
			{ isRight: false, text: 'A refresh asks no user' },
			{ isRight: true, text: 'The consent page was right' }
		]
	},
	defense: {
		title: 'Compare with the grant',
		text: 'Now the refresh token knows what the user allowed, and a request can only ask for less.',
		others: ['The same check at the exchange of a code', 'Resources that read the scopes of the grant'],
		world: { weaknesses: [] }
	},
	wrongDefenses: {
		tooStrict: defenses.pushedOnly,
		noEffect: defenses.shortTokens,
		otherAttack: {
			...defenses.signedTokens,
			text: 'A signature shows who issued a token. Here Tollgate itself issues it, with too many permissions.'
		}
	},
	rejected: {
		id: 'token.scope_not_widened',
		title: 'The scope is not wider than the grant',
		text: 'Check of the authorization server. The refresh token stays valid.',
		place: 'authorization server',
		section: 'RFC 6749 §6'
	},
	defended: {
		title: 'Only what was allowed',
		text: 'Tollgate responded with `invalid_scope`. For one more permission, Guild board must send the user to the consent page again.'
	},
	remains: [
		{ text: 'A token that works at a second server', lab: 'other-resource' },
		{ text: 'A refresh asks for no new scope', rule: 'token.scope_not_widened' }
	],
	ownClient: [
		'Read `scope` of each token response: it says what the token can do.',
		'To get one more permission, start a new sign-in. Do not ask for it in a refresh.'
	],
	hints: [
		'Where in the flow does Tollgate read scopes from your request, without a page for the user?',
		'Look at the parameters of a refresh.',
		'Your application can refresh as often as it likes. What it asks for is up to you.'
	],
	questions: [
		ask(
			'What may `scope` of a refresh contain?',
			['The granted scopes, or fewer', 'A narrower token is safer to hand on.'],
			['Each scope that the service knows', 'Then the consent page means nothing.'],
			['It must not be sent', 'It may be sent. Without it the token has all granted scopes.']
		)
	],
	notes: [
		'Compare the same mistake at the authorization endpoint: a scope that is added after the user has seen the page.'
	]
};
