import { defenses } from '../defenses.ts';
import { attackerOrigin } from '../../engine/attacker-site.ts';
import type { Lab } from '../../engine/lab.ts';
import { parameterOf, type Message } from '../../engine/message.ts';
import { viewerOrigin } from '../../engine/viewer-pages.ts';
import {
	ask,
	holdRequest,
	holdsOwnRequest,
	issuedTo,
	openAsAttacker,
	openAsVictim,
	putOnPage,
	rejectedBy,
	release,
	valueIn,
	tools
} from '../actions.ts';

/** Where the attacker reads what arrives. */
const collect = `${attackerOrigin}/collect`;
/** A link of the client to other sites, behind a path that begins like the redirect URI. */
const detour = `${viewerOrigin}/callback/../out?to=${encodeURIComponent(collect)}`;

const arrivedFrom = (log: readonly Message[], from: string) =>
	log.find(
		(message) => message.to === 'attacker_site' && message.from === from && parameterOf(message, 'code') !== undefined
	);

export const lab: Lab = {
	briefing:
		'Tollgate accepts each redirect URI that **begins** like the registered one. Character Viewer has a page, `/out?to=…`, that forwards visitors to other sites. Get the victim’s code onto your page.',
	code: {
		file: 'redirect-uri.ts of Tollgate',
		line: 5,
		wrong: 'return registered.some(\n  (one) => uri.startsWith(one));',
		marked: 'uri.startsWith(one)',
		right: 'return registered.some(\n  (one) => uri === one);'
	},
	tools: [tools.account, tools.hold, { kind: 'page', text: 'A page that the victim visits, and its log' }],
	parties: [
		{ party: 'attacker', name: 'Attacker' },
		{ party: 'attacker_site', name: 'Your page' },
		{ party: 'victim', name: 'Victim' },
		{ party: 'client', name: 'Viewer' },
		{ party: 'service', name: 'Tollgate' }
	],
	world: { weaknesses: ['redirect_uri_prefix'], holds: holdsOwnRequest },
	steps: [
		holdRequest,
		{
			title: 'Change `redirect_uri`',
			text: 'Continue the registered URI, so that the browser ends at `/out` and is forwarded to your page: `/callback/../out?to=…`. Browsers resolve `..` before they send a request.',
			id: 'change_redirect',
			place: 'held',
			label: 'Lead it to my page',
			isPossible: ({ held }) => held !== undefined,
			act(run) {
				run.change('redirect_uri', detour);
				run.mark(detour);
			},
			isDone: ({ held, link }) =>
				held?.valueOf('redirect_uri') === detour || (link !== undefined && link.includes(encodeURIComponent('/out?')))
		},
		{
			text: 'The link leads to the real sign-in page of Tollgate. Nothing on it is yours.',
			...putOnPage
		},
		{
			text: 'The victim signs in at Tollgate, and allows Character Viewer. The redirect goes where your parameter says.',
			...openAsVictim,
			isDone: ({ log }) => log.some(({ from, to, method }) => from === 'victim' && to === 'service' && method === 'GET')
		}
	],
	detours: [
		{
			id: 'foreign_redirect',
			place: 'held',
			label: 'Use the address of my page',
			isPossible: ({ held }) => held !== undefined,
			act: (run) => run.change('redirect_uri', collect)
		},
		release,
		openAsAttacker
	],
	nearMisses: {
		foreign_host: {
			happened: rejectedBy('auth.redirect_uri_registered'),
			text: (message) =>
				`Tollgate found the redirect URI \`${parameterOf(message, 'redirect_uri') ?? 'none'}\`, which does not begin like the registered one.`,
			look: 'the wrong line: which part of the address does it compare?'
		},
		own_code: {
			happened: (sent) => arrivedFrom(sent, 'attacker'),
			text: (message) =>
				`The code ${valueIn(message, 'code')} arrived at your page. It is of player-three: your own browser brought it.`,
			look: 'the browser of the row before.'
		},
		unchanged: {
			happened: (sent) =>
				sent.find(
					({ from, to, url }) =>
						from !== 'attacker_site' && to === 'client' && url.startsWith(`${viewerOrigin}/callback?`)
				),
			text: (message) =>
				`The code ${valueIn(message, 'code')} went to Character Viewer: the redirect URI was the registered one.`,
			look: 'the request of which this code is the response.'
		}
	},
	willBeChecked: () => '`redirect_uri`: it must begin like `https://viewer.example/callback`.',
	goal: {
		text: 'A code of **player-one** arrives at your page',
		find: (log) =>
			issuedTo(log, 'code', 'player-one', (id) => id === 'viewer') === undefined
				? undefined
				: arrivedFrom(log, 'victim')
	},
	happened: {
		title: 'The code took a detour',
		paragraphs: [
			'The victim saw the real Tollgate and the real name. The code went to `/out` of Character Viewer, which **forwarded it to you** with all its parameters.',
			'A page that forwards visitors is harmless as long as no code can reach it.'
		],
		why: [
			{ isRight: false, text: 'The URI was compared by its beginning' },
			{ isRight: false, text: 'A page of the client forwards to any site' },
			{ isRight: true, text: 'The user signed in at the real service' }
		]
	},
	defense: {
		title: 'Compare exactly',
		text: 'Now each character counts, so that no path, query or subdomain can be added.',
		others: ['Forward to a list of known sites only', 'Register one complete URI for each environment'],
		world: { weaknesses: [] }
	},
	wrongDefenses: {
		tooStrict: {
			title: 'Compare exactly, with a slash added',
			code: "return registered.some(\n  (one) => uri === one + '/');",
			file: 'redirect-uri.ts of Tollgate, line 5',
			section: 'RFC 9700 §2.1',
			text: 'Exact means each character. Character Viewer sends no slash, so none of its users can sign in.',
			world: { weaknesses: [], registeredSuffix: '/' }
		},
		noEffect: defenses.longerState,
		otherAttack: {
			...defenses.dpop,
			text: 'A copied token is useless without the key. Here a code leaks, before there is a token.'
		}
	},
	rejected: {
		id: 'auth.redirect_uri_registered',
		title: 'The redirect URI is registered',
		text: 'Check of the authorization server. The user sees a page, and nothing is sent to the address.',
		place: 'authorization server',
		section: 'RFC 9700 §4.1'
	},
	defended: {
		title: 'An error page, and no redirect',
		text: 'Tollgate does not send even an error to an address that it does not know. The victim stays on its page.'
	},
	remains: [
		{ text: 'A code that reaches you in another way', lab: 'code-injection' },
		{ text: 'The redirect URI is as registered', rule: 'request.redirect_uri_exact' }
	],
	ownClient: [
		'Register complete redirect URIs, without wildcards.',
		'Have no page that forwards to an address from its query. If you need one, compare the address with a list.'
	],
	hints: [
		'What follows the registered URI is yours to choose.',
		'Look at the pages of Character Viewer: one of them sends a browser to another site. How does one get from `/callback` to it?',
		'The tool that holds your request can change where its response goes. Your page can carry the request.'
	],
	questions: [
		ask(
			'Why is the error shown on a page, and not sent to the redirect URI?',
			[
				'The URI may be the attacker’s',
				'A redirect to it would make Tollgate forward to any site (RFC 6749, section 4.1.2.1).'
			],
			['Errors have no parameters', 'They have: `error` and `error_description`.'],
			['The browser would not follow it', 'Browsers follow any redirect.']
		)
	],
	notes: ['Let the class find other continuations: a subdomain in place of a path, `@`, a second slash, encoded dots.']
};
