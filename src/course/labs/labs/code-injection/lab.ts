import { defenses } from '../defenses.ts';
import { viewerOrigin } from '../../engine/viewer-pages.ts';
import type { Lab } from '../../engine/lab.ts';
import type { LabRun } from '../../engine/lab-run.ts';
import { shorten } from '../../engine/message.ts';
import { readIn } from '../../engine/run-lab.ts';
import {
	ask,
	expired,
	holdResponse,
	isCallback,
	ownExchange,
	rejectedBy,
	release,
	removeState,
	signInAttacker,
	signInParties,
	wait,
	tools
} from '../actions.ts';

/** In milliseconds. */
const codeLifetime = 600_000;

/** The victim signs in, and the redirect with the code is lost. The proxy writes it to its log. */
async function loseCode(run: LabRun): Promise<void> {
	const lost = await run.lose(() => run.browsers.victim.open(`${viewerOrigin}/start`));
	const code = lost?.valueOf('code');
	if (code !== undefined) run.leaked = { code, at: run.clock.now() };
}

export const lab: Lab = {
	briefing:
		'The victim’s redirect was lost in the tournament’s Wi-Fi, and the proxy wrote its URL to a log. You can read the log. Read the victim’s characters in **your own** session.',
	code: {
		file: 'start.ts',
		line: 9,
		wrong: 'const query = {\n  state: session.state,\n  // no code_challenge\n};',
		marked: '// no code_challenge',
		right: 'const query = {\n  state: session.state,\n  code_challenge: await sha256(session.verifier)\n};'
	},
	tools: [tools.account, tools.hold, { kind: 'store', text: 'A proxy log with one unused code' }],
	parties: signInParties,
	world: {
		client: { pkce: false },
		holds: (message) => isCallback(message) && (message.from === 'attacker' || message.from === 'victim'),
		async before(run) {
			await loseCode(run);
		}
	},
	steps: [
		{
			title: 'Copy the code from the log',
			text: 'The log has a redirect of `player-one` that never arrived at Character Viewer. Its code is unused, and lives for 10 minutes.',
			id: 'copy_code',
			label: 'Copy the code',
			isPossible: ({ leaked }) => leaked !== undefined,
			act: (run) => run.copy('code', run.leaked?.code ?? ''),
			isDone: ({ copied, leaked, clock }) =>
				leaked !== undefined && copied.get('code') === leaked.code && clock.now() < leaked.at + codeLifetime
		},
		signInAttacker,
		holdResponse,
		{
			title: 'Put the victim’s code in place of yours',
			text: 'Your redirect has your `code` and your `state`. The `state` is right for your browser. Change the code only.',
			id: 'swap_code',
			place: 'held',
			label: 'Insert the copied code',
			isPossible: ({ held, copied }) => held !== undefined && copied.has('code'),
			act: (run) => run.change('code', run.copied.get('code')),
			isDone: ({ held, copied, log }) =>
				copied.has('code') &&
				(held?.valueOf('code') === copied.get('code') ||
					log.some((message) => isCallback(message) && message.url.includes(copied.get('code') ?? '-')))
		},
		{
			title: 'Let it arrive',
			text: 'The held message has your `state` and the victim’s code. Let it go to Character Viewer.',
			id: 'deliver',
			place: 'held',
			label: 'Let it arrive',
			isPossible: ({ held }) => held?.isChanged === true,
			act: (run) => run.release(),
			isDone: ({ log }) =>
				log.some((message) => isCallback(message) && message.from === 'attacker' && message.state === 'responded')
		}
	],
	detours: [
		release,
		removeState,
		wait,
		{
			id: 'victim_again',
			label: 'Let the victim try again',
			place: 'victim',
			opens: 'copy_code',
			isPossible: () => true,
			act: loseCode
		}
	],
	nearMisses: {
		expired,
		own_code: ownExchange,
		state_removed: {
			happened: rejectedBy('client.state_matches'),
			text: ({ rejection }) =>
				`Character Viewer found \`${shorten(rejection?.found ?? '')}\`, and expected the \`state\` of your browser. It did not use the code.`,
			look: 'the `state` of your own redirect.'
		}
	},
	willBeChecked: () =>
		'`state`, with the one of your browser. The code is checked by Tollgate: client, lifetime, first use.',
	goal: {
		text: '**player-one** is in the attacker’s session',
		find: (log) => readIn(log, 'attacker', 'player-one')
	},
	happened: {
		title: 'The victim’s code, your session',
		paragraphs: [
			'Tollgate knows that the code belongs to Character Viewer, and Character Viewer sent it. Neither knows **which sign-in** it belongs to.',
			'`state` was right all the time: it protects the browser, not the code.'
		],
		why: [
			{ isRight: false, text: 'Nothing binds a code to the sign-in that asked for it' },
			{ isRight: false, text: 'An unused code in a log is as good as a password' },
			{ isRight: true, text: '`state` was compared' }
		]
	},
	defense: {
		title: 'Use PKCE',
		text: 'Now the code of another sign-in needs the verifier of that sign-in, which stays in the victim’s session.',
		others: ['A `nonce` in the ID token, which the client compares'],
		world: { client: { pkce: true } }
	},
	wrongDefenses: {
		tooStrict: {
			...defenses.requirePkce,
			title: 'Require PKCE at Tollgate alone',
			text: 'Character Viewer sends no challenge, so none of its users can sign in. Both ends must change.'
		},
		noEffect: defenses.longerState,
		otherAttack: {
			...defenses.dpop,
			world: { ...defenses.dpop.world, weaknesses: ['challenge_optional'] }
		}
	},
	rejected: {
		id: 'token.code_verifier_matches',
		title: 'The code verifier matches',
		text: 'Check of the authorization server. The code is invalid now, also for the victim.',
		place: 'authorization server',
		section: 'RFC 9700 §4.5'
	},
	defended: {
		title: 'Same code, rejected',
		text: 'Character Viewer sent the verifier of your sign-in with the code of another one. Tollgate compared it with the challenge, and they do not match.'
	},
	remains: [
		{ text: 'A service that lets clients leave the challenge out', lab: 'pkce-downgrade' },
		{ text: 'Each sign-in has its own challenge', rule: 'request.challenge_fresh' }
	],
	ownClient: [
		'Send a `code_challenge` with S256 in each authorization request, also as a client with a secret.',
		'Keep the verifier in the session of the browser that started the sign-in.',
		'Keep query strings of the redirect URI out of logs.'
	],
	hints: [
		'Which message of yours carries a code to Character Viewer?',
		'Look at your own redirect. Which of its values are right for your browser, and which one is only yours?',
		'The tool that holds a message can also change a value of it. The log has another value for it.'
	],
	questions: [
		ask(
			'Why does `state` not stop this attack?',
			['The attacker uses the own sign-in with its right `state`', 'Only the code is foreign.'],
			['`state` was too short', 'It has 256 random bits, and was not guessed.'],
			['`state` was in the log, too', 'It was, but the attack does not use that one.']
		)
	],
	notes: [
		'Compare with lab 1: there the attacker’s code reaches the victim’s session, here the victim’s code the attacker’s.',
		'The client secret does not help. The attacker lets the right client send the code.'
	]
};
