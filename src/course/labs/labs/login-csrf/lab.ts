import { defenses } from '../defenses.ts';
import type { Lab } from '../../engine/lab.ts';
import { shorten } from '../../engine/message.ts';
import { readIn } from '../../engine/run-lab.ts';
import {
	ask,
	expired,
	holdResponse,
	holdsOwnResponse,
	isCallback,
	openAsAttacker,
	openAsVictim,
	putOnPage,
	ownExchange,
	rejectedBy,
	release,
	removeCode,
	removeState,
	signInAttacker,
	signInParties,
	wait,
	tools
} from '../actions.ts';

export const lab: Lab = {
	briefing:
		'You are the attacker. Make the victim’s browser sign in to Character Viewer **as you**. What the victim saves there, you can read.',
	code: {
		file: 'callback.ts',
		line: 12,
		wrong: 'if (state && state !== session.state)\n  throw new StateError();',
		marked: 'state &&',
		right: 'if (state !== session.state)\n  throw new StateError();'
	},
	tools: [tools.account, tools.hold, tools.page],
	parties: signInParties,
	world: { client: { state: 'if_sent', pkce: false }, holds: holdsOwnResponse },
	steps: [
		signInAttacker,
		holdResponse,
		{
			title: 'Remove `state`',
			text: 'The response carries a code for your account, and the `state` of your own browser. In another browser this `state` is wrong. The wrong line compares it only when it was sent.',
			...removeState,
			isDone: ({ held, link }) =>
				(held !== undefined && held.valueOf('state') === undefined) ||
				(link !== undefined && !new URL(link).searchParams.has('state'))
		},
		{
			text: 'Your own redirect is held. It carries a code for your account, and `state` is removed. Put it where the victim will open it.',
			...putOnPage
		},
		{
			text: 'The victim visits the guild board and signs up for the tournament. The link is your message.',
			...openAsVictim,
			isDone: ({ log }) => log.some((message) => isCallback(message) && message.from === 'victim')
		}
	],
	detours: [release, openAsAttacker, removeCode, wait],
	nearMisses: {
		expired,
		own_exchange: ownExchange,
		state_kept: {
			happened: rejectedBy('client.sent_state_matches'),
			text: ({ rejection }) =>
				`The victim’s browser brought the \`state\` \`${shorten(rejection?.found ?? '')}\`. Character Viewer found ${rejection?.expected?.includes(' ') === true ? rejection.expected : `\`${shorten(rejection?.expected ?? '')}\` in its session`}.`,
			look: 'the wrong line: when does it compare `state`?'
		},
		code_removed: {
			happened: rejectedBy('client.code_present'),
			text: () => 'The response had no `code`. Character Viewer had nothing to exchange.',
			look: 'what an exchange at the token endpoint needs.'
		}
	},
	willBeChecked: ({ held }) =>
		held?.valueOf('state') === undefined
			? 'nothing. `state` is compared only when it was sent.'
			: '`state`, with the one of the browser that brings it.',
	goal: {
		text: '**player-three** is in the victim’s session',
		find: (log) => readIn(log, 'victim', 'player-three')
	},
	happened: {
		title: 'The victim is you',
		paragraphs: [
			'Your code traveled in a link. Character Viewer never asked **who started this sign-in**, so it signed the victim’s browser in as `player-three`.',
			'What the victim saves now is in your account.'
		],
		why: [
			{ isRight: false, text: 'A missing `state` was not compared' },
			{ isRight: false, text: '`state` binds a response to one browser' },
			{ isRight: true, text: 'The code itself was valid and unused' }
		]
	},
	defense: {
		title: 'Require state',
		text: 'Now a missing `state` is not equal to the one in the session.',
		others: ['A session cookie with `__Host-`', 'PKCE, with the verifier in the session'],
		world: { client: { state: 'compared' } }
	},
	wrongDefenses: {
		tooStrict: defenses.sameSite,
		noEffect: defenses.longerState,
		otherAttack: {
			...defenses.dpop,
			world: { ...defenses.dpop.world, weaknesses: ['challenge_optional'] }
		}
	},
	rejected: {
		id: 'client.state_matches',
		title: 'A missing state is rejected',
		text: 'Check of the client, line 12. The code was never sent.',
		place: 'client',
		section: 'RFC 9700 §4.7'
	},
	remains: [
		{ text: 'A code that leaks elsewhere', lab: 'code-injection' },
		{ text: 'A missing state is rejected', rule: 'callback.state_required' }
	],
	hints: [
		'The victim needs a response that was made for you. Which of your messages has a code?',
		'Look at the wrong line. What does it do with a response that lacks the value to compare?',
		'The tool that holds a message can also remove a value from it. Your page can carry the message.'
	],
	defended: {
		title: 'Same attack, rejected',
		text: 'The link still worked, and the code was still valid. Character Viewer did not send it, because the response had no `state`.'
	},
	ownClient: [
		'Compare `state` of every response with the one in the session of this browser, also where it is missing.',
		'Use each `state` once, and bind it to the session cookie of the browser.'
	],
	questions: [
		ask(
			'What does the attacker get?',
			['What the victim saves in the attacker’s account', 'The victim works in the account of the attacker.'],
			['The victim’s password', 'The victim never signed in at Tollgate.'],
			['The victim’s access token', 'The only token in the log is the attacker’s.']
		),
		ask(
			'Why does PKCE stop this attack, too?',
			[
				'The victim’s session has no verifier for this code',
				'The code is bound to the verifier in the attacker’s session.'
			],
			['PKCE encrypts the code', 'The code stays readable. It is only useless without the verifier.'],
			['PKCE replaces the session cookie', 'The verifier is kept in the session.']
		)
	],
	notes: [
		'Ask who loses what: no token of the victim is stolen, and the victim still loses data. Compare a login form without a CSRF token.'
	]
};
