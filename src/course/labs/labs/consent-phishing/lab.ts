import { defenses } from '../defenses.ts';
import { attackerOrigin } from '../../engine/attacker-site.ts';
import type { Lab, LabAction } from '../../engine/lab.ts';
import { shorten } from '../../engine/message.ts';
import { viewerName } from '../../engine/viewer-pages.ts';
import { ask, issuedTo, linkToSignIn, openAsAttacker, openAsVictim, rejectedBy, sendForm, tools } from '../actions.ts';

/** Registers an application of the attacker in the console. */
const register = (id: string, label: string, name: string): LabAction => ({
	id,
	label,
	isPossible: () => true,
	async act(run) {
		const known = run.registered.get(name);
		if (known !== undefined) return run.copy('client_id', known);
		const body = { name, kind: 'web' as const, redirect_uris: [`${attackerOrigin}/callback`] };
		const { client_id } = await run.service.api.request('POST /control/applications', { body });
		run.registered = new Map([...run.registered, [name, client_id]]);
		run.copy('client_id', client_id);
	}
});

export const lab: Lab = {
	briefing:
		'Each developer can register an application at Tollgate, and choose its name. Get the victim’s permission for **your** application. The victim knows and trusts Character Viewer.',
	code: {
		file: 'consent-page.ts of Tollgate',
		line: 18,
		wrong: '<h1>{name} wants access to your account</h1>\n<!-- no host -->',
		marked: '<!-- no host -->',
		right: '<h1>{name} wants access to your account</h1>\n<p>You’ll be redirected to {redirectUri}</p>'
	},
	tools: [{ kind: 'server', text: 'A developer account at Tollgate' }, tools.page],
	parties: [
		{ party: 'attacker', name: 'Attacker' },
		{ party: 'victim', name: 'Victim' },
		{ party: 'attacker_site', name: 'Your page' },
		{ party: 'service', name: 'Tollgate' }
	],
	world: {
		weaknesses: ['consent_without_host'],
		// The victim reads the page: a known name, and a known host where one is shown.
		async before({ browsers }) {
			browsers.victim.allows = (text) =>
				text.includes(`${viewerName}</`) && (!text.includes('be redirected to') || text.includes('viewer.example'));
		}
	},
	steps: [
		{
			title: 'Register an application',
			text: 'Choose a name that the victim trusts. Tollgate does not compare names, because two applications may have the same.',
			...register('register', `Register “${viewerName}”`, viewerName),
			isDone: ({ copied, registered }) =>
				copied.has('client_id') && copied.get('client_id') === registered.get(viewerName)
		},
		{
			title: 'Put a sign-in on your page',
			text: 'The link has the `client_id` of your application, and leads to the real Tollgate.',
			id: 'link',
			label: 'Put the link on my page',
			isPossible: ({ copied }) => copied.has('client_id'),
			act: (run) => linkToSignIn(run, run.copied.get('client_id') ?? ''),
			isDone: ({ link, copied }) => link !== undefined && link.includes(copied.get('client_id') ?? '-')
		},
		{
			text: 'The victim signs in, and reads the consent page. The victim of this lab allows access where the name is known and no unknown host is shown.',
			...openAsVictim,
			isDone: ({ log }) => log.some(({ from, to }) => from === 'victim' && to === 'service')
		}
	],
	detours: [
		register('register_own', 'Register “Guild board”', 'Guild board'),
		register('register_support', 'Register “Tollgate support”', 'Tollgate support'),
		{
			id: 'link_to_viewer',
			label: 'Link with the client_id of Viewer',
			isPossible: ({ copied }) => copied.has('client_id'),
			act: (run) => linkToSignIn(run, 'viewer')
		},
		{
			id: 'exchange_nothing',
			label: 'Ask for a token without a code',
			isPossible: ({ copied }) => copied.has('client_id'),
			act: (run) =>
				sendForm(run, 'token/', { grant_type: 'client_credentials', client_id: run.copied.get('client_id') ?? '' })
		},
		openAsAttacker
	],
	nearMisses: {
		unknown_name: {
			happened: (sent) => sent.find(({ from, form }) => from === 'victim' && form.includes('decision=deny')),
			text: (_, { registered, copied }) =>
				`The victim did not know “${[...registered].find(([, id]) => id === copied.get('client_id'))?.[0] ?? ''}”, and denied access.`,
			look: 'what the consent page takes from the application.'
		},
		foreign_client: {
			happened: rejectedBy('auth.redirect_uri_registered'),
			text: () => 'Tollgate sends codes of `viewer` to Character Viewer only. Your page is not registered for it.',
			look: 'the redirect URI of the link on your page.'
		},
		own_permission: {
			happened: (sent) => issuedTo(sent, 'code', 'player-three', (id) => id !== 'viewer'),
			text: ({ entry }) =>
				`Your own account allowed \`${shorten(entry?.client_id ?? '')}\`: the code is of player-three.`,
			look: 'the browser of this row.'
		}
	},
	goal: {
		text: 'A code of **player-one** is issued to a second application with this name',
		find: (log) => issuedTo(log, 'code', 'player-one', (id) => id !== 'viewer')
	},
	happened: {
		title: 'A name is not an identity',
		paragraphs: [
			'The page, the address and the TLS certificate were real. Only the **application** was not the one that the victim knows, and the page did not show where it leads.',
			'Multi-factor sign-in does not help: the victim signed in, and allowed it.'
		],
		why: [
			{ isRight: false, text: 'The name was chosen by the attacker' },
			{ isRight: false, text: 'Nothing on the page says where the code goes' },
			{ isRight: true, text: 'The victim checked the address of the page' }
		]
	},
	defense: {
		title: 'Show the host',
		text: 'Now the user can compare the host with the one of the application that they know. The victim of this lab does.',
		others: ['A mark for reviewed applications', 'Review of names that are already known'],
		world: { weaknesses: [] }
	},
	wrongDefenses: {
		tooStrict: defenses.pushedOnly,
		noEffect: {
			...defenses.longerState,
			text: 'A longer `state` of Character Viewer is harder to guess. Character Viewer takes no part in this attack.'
		},
		otherAttack: defenses.requirePkce
	},
	rejected: {
		id: 'user.host_known',
		title: 'The host is shown on the consent page',
		text: 'Decision of the user. A user who does not read the page allows it: this defense is as strong as its reader.',
		place: 'user',
		section: 'RFC 6819 §4.4.1.4',
		find: (log) =>
			log.find(({ from, to, form }) => from === 'victim' && to === 'service' && form.includes('decision=deny'))
	},
	defended: {
		title: 'An unknown host, denied',
		text: 'The name was the same, and the host was `guild-board.example`. The victim denied access, and your application got an error.'
	},
	remains: [
		{ text: 'Users who do not read the page: review applications, and ask for few permissions' },
		{ text: 'A denial ends the sign-in', rule: 'callback.denial' }
	],
	ownClient: [
		'Use one host for your redirect URI that users know as yours.',
		'Ask for few permissions: a long list teaches users not to read it.'
	],
	hints: [
		'What on the consent page comes from the application, and what from Tollgate?',
		'Look at the names in the console: nothing compares them.',
		'Your developer account can register any name. Which one does the victim trust?'
	],
	questions: [
		ask(
			'What did the victim’s second factor change?',
			['Nothing: the victim signed in at the real service', 'It protects the sign-in, not the decision after it.'],
			['It would have stopped the attack', 'The victim would have used it.'],
			['It limits the permissions', 'These are what the page lists.']
		)
	],
	notes: [
		'Show real consent pages of two services, and look for the host. Discuss what a review of applications can and cannot do.'
	]
};
