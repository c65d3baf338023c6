import { defenses } from '../defenses.ts';
import type { Lab } from '../../engine/lab.ts';
import { parameterOf } from '../../engine/message.ts';
import { readIn } from '../../engine/run-lab.ts';
import { viewerOrigin } from '../../engine/viewer-pages.ts';
import {
	ask,
	holdRequest,
	holdsOwnRequest,
	isCallback,
	openAsAttacker,
	openAsVictim,
	ownExchange,
	putOnPage,
	rejectedBy,
	release,
	removeState,
	signInParties,
	valueIn,
	tools
} from '../actions.ts';

export const lab: Lab = {
	briefing:
		'Character Viewer keeps the session that **started** a sign-in, and finds it again by `state`. Start a sign-in, let the victim finish it, and read the victim’s characters.',
	code: {
		file: 'callback.ts',
		line: 8,
		wrong: 'const session = await sessions.byState(state);',
		marked: 'sessions.byState(state)',
		right: 'const session = await sessions.byCookie(request);\nif (state !== session.state) throw new StateError();'
	},
	tools: [tools.account, tools.hold, tools.page],
	parties: signInParties,
	world: { client: { session: 'of_start' }, holds: holdsOwnRequest },
	steps: [
		holdRequest,
		{
			text: 'The held request has the `state` of **your** session. Put it on your page, unchanged.',
			...putOnPage,
			act(run) {
				const state = run.held?.valueOf('state');
				run.putOnPage();
				if (state !== undefined) run.mark(state);
			}
		},
		{
			text: 'The victim sees the real sign-in page of Tollgate, and a client with a known name. The victim signs in, and allows access.',
			...openAsVictim,
			isDone: ({ log }) => log.some((message) => isCallback(message) && message.from === 'victim')
		},
		{
			title: 'Open Character Viewer yourself',
			text: 'Your browser still has the session that started this sign-in. Look what it has now.',
			id: 'look',
			label: 'Open Character Viewer',
			place: 'attacker',
			isPossible: ({ link }) => link !== undefined,
			act: async ({ browsers }) => void (await browsers.attacker.open(`${viewerOrigin}/`)),
			isDone: ({ log }) =>
				log.some(({ from, to, url }) => from === 'attacker' && to === 'client' && url === `${viewerOrigin}/`)
		}
	],
	detours: [release, removeState, openAsAttacker],
	nearMisses: {
		state_removed: {
			happened: rejectedBy('client.state_known'),
			text: (message) =>
				parameterOf(message, 'state') === undefined
					? 'The response had no `state`, so Character Viewer found no session for it.'
					: `The response had the \`state\` ${valueIn(message, 'state')}. No session of Character Viewer began with it.`,
			look: 'the wrong line: how does it find a session?'
		},
		own_sign_in: ownExchange,
		too_early: {
			happened: (sent, { log }) =>
				log.some((message) => isCallback(message))
					? undefined
					: sent.find(({ from, to, url }) => from === 'attacker' && to === 'client' && url === `${viewerOrigin}/`),
			text: ({ outcome }) => `Character Viewer shows “${outcome}” to your browser. No code has arrived at it so far.`,
			look: 'the rows with a code: there are none.'
		}
	},
	willBeChecked: () => '`state`: whether any session started with it.',
	goal: {
		text: '**player-one** is in the attacker’s session',
		find: (log) => readIn(log, 'attacker', 'player-one')
	},
	happened: {
		title: 'Two users, one session',
		paragraphs: [
			'You started the sign-in, and the victim finished it. Character Viewer gave the tokens to the session of the **start**, which is yours.',
			'Each message was real: the page, the client, the account, the consent.'
		],
		why: [
			{ isRight: false, text: '`state` was looked up, not compared with this browser' },
			{ isRight: false, text: 'The browser of the start need not be that of the end' },
			{ isRight: true, text: 'The victim knew what was allowed, and to which client' }
		]
	},
	defense: {
		title: 'Bind state to the browser',
		text: 'Now the response must arrive in the browser that started the sign-in.',
		others: ['Ask the user who arrives to sign in to the client first, and compare both users'],
		world: { client: { session: 'of_browser' } }
	},
	wrongDefenses: {
		tooStrict: defenses.sameSite,
		noEffect: defenses.longerState,
		otherAttack: defenses.dpop
	},
	rejected: {
		id: 'client.state_matches',
		title: 'The state belongs to this browser',
		text: 'Check of the client, line 9. The victim’s code was never sent.',
		place: 'client',
		section: 'RFC 9700 §4.7'
	},
	defended: {
		title: 'Another browser, rejected',
		text: 'The victim’s browser has no sign-in with this `state`. Character Viewer did not send the code, and your session stays empty.'
	},
	remains: [
		{ text: 'A client that the attacker registered', lab: 'consent-phishing' },
		{ text: 'The state belongs to the browser', rule: 'callback.state_of_browser' }
	],
	ownClient: [
		'Keep what a sign-in started with in a cookie or a session of this browser. A table with `state` as its key is not enough.',
		'This holds for agents and command lines, too: the user who allows access must be the user who started.'
	],
	hints: [
		'Which session gets the tokens: the one that starts, or the one that ends the sign-in?',
		'Look at your own request to Tollgate. Another user can finish what you started.',
		'The tool that holds a request keeps it unsent. Your page can carry it.'
	],
	questions: [
		ask(
			'How does this differ from login CSRF?',
			[
				'Here the victim’s data reaches the attacker’s session',
				'In lab 1 the attacker’s account reaches the victim’s session.'
			],
			['Here the code is stolen', 'The attacker never sees the code.'],
			['Here `state` is missing', 'It is there, and it is known.']
		)
	],
	notes: [
		'Servers that sign users in to tools of others often have this mistake: they start the sign-in for one user, and accept the code from any browser.'
	]
};
