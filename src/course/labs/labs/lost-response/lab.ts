import { defenses } from '../defenses.ts';
import type { Lab, LabAction } from '../../engine/lab.ts';
import { parameterOf, type Message } from '../../engine/message.ts';
import { viewerOrigin } from '../../engine/viewer-pages.ts';
import { readIn, signInGoodUser } from '../../engine/run-lab.ts';
import { ask, isCallback, sendForm, signInParties, valueIn } from '../actions.ts';
import { storedTokens } from '../stored-tokens.ts';

const refreshes = (log: readonly Message[], from: string) =>
	log.filter((message) => message.from === from && parameterOf(message, 'grant_type') === 'refresh_token');

/** The copy is used outside the grace. */
const steal: LabAction = {
	id: 'steal',
	label: 'Refresh with the copy, a minute later',
	isPossible: ({ backup }) => backup.length > 0,
	async act(run) {
		run.clock.advance(60_000);
		const refresh_token = run.backup[0]?.refresh ?? '';
		await sendForm(run, 'token/', { grant_type: 'refresh_token', refresh_token, client_id: 'viewer' });
	}
};

export const lab: Lab = {
	briefing:
		'This lab has no attack. Tollgate rotates refresh tokens, and **one response is lost** on its way. Predict what happens when Character Viewer tries again. Then lose it.',
	code: {
		file: 'settings of Tollgate',
		line: 6,
		wrong: '// a used token ends all,\n// after this many seconds\nrotation_grace: 0',
		marked: '0',
		right: '// a used token ends all,\n// after this many seconds\nrotation_grace: 30'
	},
	tools: [
		{ kind: 'request', text: 'A network that loses the next response' },
		{ kind: 'store', text: 'A copy of the victim’s refresh token' }
	],
	parties: signInParties,
	subject: storedTokens('A copy'),
	world: {
		settings: { dialect: 'standard', lifetimes: { access_token: 1200 } },
		isPublic: true,
		before: async ({ browsers }) => void (await browsers.victim.open(`${viewerOrigin}/start`))
	},
	steps: [
		{
			title: 'Lose the next response',
			text: 'Tollgate will handle the next refresh, and its response will not arrive. This happens in tunnels, at restarts, and with impatient proxies.',
			id: 'lose',
			label: 'Lose the next response',
			isPossible: () => true,
			async act(run) {
				await run.service.api.request('DELETE /control/faults');
				const body = { kind: 'drop', endpoint: 'token', after_commit: true } as const;
				await run.service.api.request('POST /control/faults', { body });
				run.copy('lost', 'the next response of the token endpoint');
			},
			isDone: ({ copied }) => copied.has('lost')
		},
		{
			title: 'Let the victim come back',
			text: 'Half an hour passes. The victim opens Character Viewer, which refreshes. It gets no response, and sends the same token once more.',
			id: 'victim_returns',
			label: 'Come back in half an hour',
			place: 'victim',
			isPossible: () => true,
			async act(run) {
				run.clock.advance(30 * 60_000);
				await run.browsers.victim.open(`${viewerOrigin}/`);
			},
			isDone: () => false
		}
	],
	detours: [
		steal,
		{
			id: 'look_now',
			label: 'Open Character Viewer now',
			place: 'victim',
			isPossible: () => true,
			act: async ({ browsers }) => void (await browsers.victim.open(`${viewerOrigin}/`))
		},
		{
			id: 'victim_signs_in',
			label: 'Sign in again',
			place: 'victim',
			opens: 'victim_returns',
			isPossible: () => true,
			async act(run) {
				await run.service.api.request('DELETE /control/faults');
				await run.browsers.victim.open(`${viewerOrigin}/start`);
				run.backup = run.viewer.stored;
			}
		}
	],
	nearMisses: {
		nothing_lost: {
			happened: (sent) => (refreshes(sent, 'client').length === 1 ? readIn(sent, 'victim', 'player-one') : undefined),
			text: (message) =>
				`The refresh got its response, and the victim’s characters are shown with status ${message.status ?? 0}.`,
			look: 'how often Character Viewer sent its refresh token.'
		},
		a_theft: {
			happened: (sent) => refreshes(sent, 'attacker')[0],
			text: (message) =>
				`Your copy ${valueIn(message, 'refresh_token')} was sent. That is a second holder, and no loss.`,
			look: 'the sender of this row.'
		},
		ended_before: {
			happened: (sent) => sent.find(({ to, outcome }) => to === 'client' && outcome === 'Signed out'),
			text: ({ outcome }) => `Character Viewer shows “${outcome}”: its tokens do not work any more.`,
			look: 'the state of the tokens in the store of Viewer.'
		}
	},
	goal: {
		text: 'The access of **player-one** ends, and no attacker took part',
		find(all) {
			// What was stolen before the newest sign-in does not count.
			const from = all.findLastIndex((message) => isCallback(message) && message.status === 303);
			const log = all.slice(from + 1);
			return refreshes(log, 'attacker').length > 0
				? undefined
				: refreshes(log, 'client').find(({ rejection }) => rejection?.id === 'token.refresh_token_not_used');
		}
	},
	happened: {
		title: 'A retry looks like a theft',
		paragraphs: [
			'Tollgate had replaced the token, and the new one was lost. The second try sent a **used** token. With rotation that means: two holders.',
			'So the access ended. The victim must sign in again, and nothing was stolen.'
		],
		why: [
			{ isRight: false, text: 'A used token ends all at once' },
			{ isRight: false, text: 'The client cannot know whether its request arrived' },
			{ isRight: true, text: 'The client tried once more, and then stopped' }
		]
	},
	defense: {
		title: 'Allow a short grace',
		text: 'It describes rotation only. The grace is a practice of vendors: a second try gets the same successor. After 30 seconds a used token ends all.',
		others: ['One process that refreshes for all others', 'A client that signs in again without a fuss'],
		world: { settings: { dialect: 'standard', lifetimes: { access_token: 1200, rotation_grace: 30 } } }
	},
	wrongDefenses: {
		tooStrict: defenses.secretRequired,
		noEffect: {
			...defenses.shortTokens,
			text: 'Character Viewer refreshes more often, so more responses can be lost.'
		},
		otherAttack: {
			...defenses.dpop,
			text: 'A copied token is useless without the key. Here the holder is the right one, and sends a used token.'
		}
	},
	rejected: {
		id: 'token.refreshed',
		title: 'The second try gets the same successor',
		text: 'Done by the authorization server, within `rotation_grace`. No RFC describes this grace: it is a practice of vendors. A copy that is used later still ends the access.',
		place: 'authorization server',
		section: 'RFC 9700 §4.14.2',
		find(log) {
			const [lost, again] = refreshes(log, 'client');
			const isSame =
				lost !== undefined &&
				again !== undefined &&
				parameterOf(lost, 'refresh_token') === parameterOf(again, 'refresh_token');
			return isSame && lost.status === undefined && again.status === 200 ? again : undefined;
		}
	},
	words: {
		happened: 'The access ended',
		attack: 'The lost response',
		rejected: 'Recovered',
		succeeds: 'Ends the access',
		wasRejected: 'Response recovered',
		succeeded: 'Access ended',
		defended: 'Response recovered, good user signed in'
	},
	defended: {
		title: 'Lost, and found again',
		text: 'The second try was inside the grace, and Character Viewer got the successor. The victim noticed nothing. In the last row a thief uses the copy a minute later: that is outside the grace, and ends the access.'
	},
	async goodUser(run) {
		await signInGoodUser(run);
		await steal.act(run);
	},
	remains: [
		{ text: 'A thief who is faster than the grace', lab: 'refresh-token-theft' },
		{ text: 'A lost refresh is sent again, a few times at most', rule: 'token.lost_refresh' }
	],
	ownClient: [
		'After a lost response, send the same refresh once more. If that fails, ask the user to sign in. Do not try again and again.',
		'Refresh in one process at a time.'
	],
	hints: [
		'What has Tollgate done when its response is lost?',
		'Look at what the client still has: the old token.',
		'The network can lose one response. The client does the rest when the victim comes back.'
	],
	questions: [
		ask(
			'Why is the grace short?',
			['A thief could use the old token within it', 'It gets the same successor, and the next use ends both.'],
			['The store would become full', 'One value for each token is enough.'],
			['Clients do not wait longer', 'They could. The reason is the thief.']
		)
	],
	notes: [
		'RFC 9700 §4.14.2 describes rotation only. Ask where the class finds the grace: in the manuals of vendors.',
		'One team counted 80 ended grants in 54 organizations, most of them from lost responses. Let the class predict before they press.'
	]
};
