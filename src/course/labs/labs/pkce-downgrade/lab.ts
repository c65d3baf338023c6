import { defenses } from '../defenses.ts';
import type { Lab } from '../../engine/lab.ts';
import { parameterOf, type Message } from '../../engine/message.ts';
import { readIn } from '../../engine/run-lab.ts';
import { viewerOrigin } from '../../engine/viewer-pages.ts';
import {
	ask,
	expired,
	holdRequest,
	holdsOwnResponse,
	isCallback,
	openAsAttacker,
	openAsVictim,
	putOnPage,
	ownExchange,
	rejectedBy,
	release,
	signInParties,
	valueIn,
	wait,
	tools
} from '../actions.ts';

/** An exchange that ended at its verifier. @param isSent whether there was one */
const rejectedVerifier = (sent: readonly Message[], isSent: boolean) =>
	rejectedBy('token.code_verifier_matches')(
		sent.filter((message) => (parameterOf(message, 'code_verifier') !== undefined) === isSent)
	);

export const lab: Lab = {
	briefing:
		'Character Viewer has PKCE in place of `state`: a code of another sign-in fails, because the victim’s verifier does not match it. Get a code that is bound to **no verifier**, and sign the victim in as you.',
	code: {
		file: 'authorize.ts of Tollgate',
		line: 31,
		wrong: 'if (challenge && !isS256(challenge))\n  throw invalidRequest();',
		marked: 'challenge &&',
		right: 'if (!isS256(challenge))\n  throw invalidRequest();'
	},
	tools: [
		tools.account,
		tools.hold,
		{ kind: 'page', text: 'A page that the victim visits, who has just started to sign in' }
	],
	parties: signInParties,
	world: {
		settings: { dialect: 'standard' },
		weaknesses: ['challenge_optional'],
		client: { state: 'ignored' },
		holds: (message) =>
			holdsOwnResponse(message) ||
			(message.from === 'attacker' &&
				message.to === 'service' &&
				new URL(message.url).searchParams.has('code_challenge')),
		before: async ({ browsers }) => void (await browsers.victim.look(`${viewerOrigin}/start`))
	},
	steps: [
		holdRequest,
		{
			title: 'Remove `code_challenge`',
			text: 'Your authorization request has a `code_challenge`: the hash of a verifier in your session. Remove it and its method. Then the code has nothing to compare.',
			id: 'remove_challenge',
			place: 'held',
			label: 'Remove the challenge',
			isPossible: ({ held }) => held?.valueOf('code_challenge') !== undefined,
			act(run) {
				run.change('code_challenge', undefined);
				run.change('code_challenge_method', undefined);
			},
			isDone: ({ held, log, link }) =>
				link !== undefined ||
				(held !== undefined && held.valueOf('code_challenge') === undefined) ||
				log.some(
					({ from, to, url }) =>
						from === 'attacker' && to === 'service' && url.includes('client_id') && !url.includes('code_challenge')
				)
		},
		{
			title: 'Send it on, and hold the response',
			text: 'Tollgate shows its pages as always. Allow access as `player-three`, and hold the redirect with the code.',
			id: 'send_on',
			place: 'held',
			label: 'Send on, hold the response',
			isPossible: ({ held }) => held?.valueOf('client_id') !== undefined,
			async act(run) {
				await run.release({ holdsNext: true });
				const code = run.held?.valueOf('code');
				if (code !== undefined) run.mark(code);
			},
			isDone: ({ held, link }) => held?.valueOf('code') !== undefined || link !== undefined
		},
		{
			text: 'The held redirect has a code of your account that works with any verifier. Put it where the victim opens it.',
			...putOnPage,
			isPossible: ({ held }) => held?.valueOf('code') !== undefined
		},
		{
			text: 'The victim’s session has a verifier, because the victim has started a sign-in. Character Viewer sends it with your code.',
			...openAsVictim,
			isDone: ({ log }) => log.some((message) => isCallback(message) && message.from === 'victim')
		}
	],
	detours: [release, openAsAttacker, wait],
	nearMisses: {
		expired,
		challenge_kept: {
			happened: (sent) => rejectedVerifier(sent, true),
			text: (message) =>
				`The code ${valueIn(message, 'code')} is bound to a challenge. The verifier ${valueIn(message, 'code_verifier')} does not match it: it is of the browser that brought the code.`,
			look: 'the moment at which a code is bound to a challenge.'
		},
		verifier_missing: {
			happened: (sent) => rejectedVerifier(sent, false),
			text: (message) =>
				`The code ${valueIn(message, 'code')} was bound to a challenge, and the browser that brought it has no verifier.`,
			look: 'the request for which the code was issued.'
		},
		own_exchange: ownExchange
	},
	willBeChecked: ({ held }) =>
		held?.valueOf('client_id') === undefined
			? '`code_verifier`, if the code has a challenge.'
			: '`code_challenge`, if it was sent.',
	goal: {
		text: '**player-three** is in the victim’s session, by a code without a challenge',
		find: (log) => readIn(log, 'victim', 'player-three')
	},
	happened: {
		title: 'PKCE was optional',
		paragraphs: [
			'Character Viewer did all that PKCE asks of a client. Tollgate issued a code **without a challenge**, and then ignored the verifier that came with it.',
			'A client that sends a challenge cannot see that the attacker’s request had none.'
		],
		why: [
			{ isRight: false, text: 'A request without a challenge was accepted' },
			{ isRight: false, text: 'A verifier without a challenge was not an error' },
			{ isRight: true, text: 'Character Viewer sent its verifier' }
		]
	},
	defense: {
		title: 'Require a challenge',
		text: 'Now no code exists that works without a verifier.',
		others: ['Reject a verifier whose code has no challenge', 'Compare `state`, too'],
		world: { weaknesses: [] }
	},
	wrongDefenses: {
		tooStrict: defenses.pushedOnly,
		noEffect: {
			title: 'Use a longer verifier',
			code: 'const verifier = randomText(96);',
			file: 'start.ts of Character Viewer, line 7',
			section: 'RFC 7636 §4.1',
			text: 'A longer verifier is harder to guess. Here it is compared with nothing.',
			world: { client: { verifierBytes: 96 } }
		},
		otherAttack: defenses.dpop
	},
	rejected: {
		id: 'auth.code_challenge_is_s256',
		title: 'The request has a code challenge',
		text: 'Check of the authorization server. No code was issued.',
		place: 'authorization server',
		section: 'RFC 9700 §4.8.2'
	},
	defended: {
		title: 'No code without a challenge',
		text: 'Tollgate sent your browser back with an error in place of a code. There is nothing to put on a page.'
	},
	remains: [
		{ text: 'A code that goes to the wrong server', lab: 'mix-up' },
		{ text: 'Sign-ins are protected', rule: 'request.protected' }
	],
	ownClient: [
		'Use a service whose metadata says `code_challenge_methods_supported`, and that rejects a verifier without a challenge.',
		'Compare `state` as well, where you do not know what the service does.'
	],
	hints: [
		'A code is bound to a challenge when it is issued. What if there was none?',
		'Look at your request to Tollgate, before any page of it is shown.',
		'The tool that holds your response holds your request as well. A value that is not sent is not checked.'
	],
	questions: [
		ask(
			'Who can repair this?',
			['The authorization server', 'Only it sees the request and the exchange of the same code.'],
			['The victim', 'The victim sees one link.'],
			['The client, with a longer verifier', 'The verifier is not compared, whatever its length.']
		)
	],
	notes: [
		'RFC 9700 requires both halves: a challenge for public clients, and an error for a verifier whose code has no challenge.'
	]
};
