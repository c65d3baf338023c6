import { defenses } from '../defenses.ts';
import type { Lab } from '../../engine/lab.ts';
import { ask, tools } from '../actions.ts';
import { codeAtSecondIssuer, holdsAtSecondIssuer, secondIssuerLab } from '../second-issuer.ts';

export const lab: Lab = {
	briefing:
		'Character Viewer connects tools of several vendors. All use **one** redirect URI, and responses name no issuer. You are a vendor. Take the code that the victim allows for Tollgate.',
	code: {
		file: 'tools.ts',
		line: 4,
		wrong: 'const redirectUri =\n  `${origin}/callback`;',
		marked: '/callback',
		right: 'const redirectUri =\n  `${origin}/callback/${issuer.name}`;'
	},
	tools: [
		{ kind: 'server', text: 'A tool of your own in Character Viewer' },
		{ kind: 'hold', text: 'A tool that holds what arrives at your issuer' },
		tools.page
	],
	world: { hasSecondIssuer: true, holds: holdsAtSecondIssuer },
	...secondIssuerLab,
	willBeChecked: () => 'by Tollgate: `client_id`, and `redirect_uri`. The address is the same for all tools.',
	goal: { text: 'A code of **player-one** arrives at the token endpoint of your tool', find: codeAtSecondIssuer },
	happened: {
		title: 'One address for all tools',
		paragraphs: [
			'The code of Tollgate arrived where the codes of your tool arrive. Character Viewer could not see **which tool** it belongs to, and sent it to yours.',
			'Tollgate sends no `iss` here, so there was nothing to compare.',
			'What you do with it: the secret for Tollgate did not come along, so you cannot exchange the code yourself. You inject it: your own browser brings it to Character Viewer, in a sign-in of your own.'
		],
		why: [
			{ isRight: false, text: 'All issuers share one redirect URI' },
			{ isRight: false, text: 'The response does not name its issuer' },
			{ isRight: true, text: '`state` belongs to the victim’s browser' }
		]
	},
	defense: {
		title: 'One address for each issuer',
		text: 'Now Tollgate knows one address only, and your tool has another one.',
		others: ['`iss` in the response, where the service sends it', 'A list of tools that the client has reviewed'],
		world: { client: { redirectUri: 'each' } }
	},
	wrongDefenses: {
		tooStrict: {
			title: 'Require iss in each response',
			code: 'if (iss !== session.issuer.id)\n  throw new IssuerError();',
			file: 'callback.ts, line 16',
			section: 'RFC 9207 §2.4',
			text: 'This Tollgate sends no `iss`, so the client must not require it.',
			world: { client: { issuer: 'required' } }
		},
		noEffect: defenses.shortCodes,
		otherAttack: {
			...defenses.longerState,
			text: '`state` protects the browser of the user. Here it is right: the victim started this sign-in.'
		}
	},
	rejected: {
		id: 'auth.redirect_uri_registered',
		title: 'The redirect URI is registered',
		text: 'Check of the authorization server: the address of your tool is not registered at Tollgate. With the other address, the client rejects the response.',
		place: 'authorization server',
		section: 'RFC 9700 §4.4.2.2'
	},
	defended: {
		title: 'The address of another tool',
		text: 'The victim’s request had the redirect URI of your tool. Tollgate does not know it, and issued no code.'
	},
	remains: [
		{ text: 'A client that compares `iss`, too', lab: 'mix-up' },
		{ text: 'The redirect URI is as registered', rule: 'request.redirect_uri_exact' }
	],
	ownClient: [
		'Register a different redirect URI at each issuer, and compare the address of the response with the issuer of the sign-in.',
		'This concerns agents and automation products most: they let users add tools.'
	],
	hints: [
		'Where do responses of your tool arrive, and where those of Tollgate?',
		'Look at what Character Viewer remembers of a sign-in that has begun.',
		'The held request can go on elsewhere, with a value that your own sign-in at Tollgate shows.'
	],
	questions: [
		ask(
			'What could the attacker try against the defense?',
			[
				'Insert the redirect URI of Tollgate, too',
				'Then the code arrives at the address of Tollgate, and the session says your tool: the client rejects it.'
			],
			['Remove `redirect_uri`', 'Tollgate requires it.'],
			['Register the address at Tollgate', 'Only the owner of the application can.']
		)
	],
	notes: [
		'Researchers found this in most platforms that connect tools of others. Draw the table: tool, redirect URI, token endpoint.'
	]
};
