import type { Lab } from '../../engine/lab.ts';
import { ask, tools } from '../actions.ts';
import { codeAtSecondIssuer, holdsAtSecondIssuer, secondIssuerLab } from '../second-issuer.ts';

export const lab: Lab = {
	briefing:
		'Character Viewer works with two issuers: Tollgate, and **yours**. Make it send a code of Tollgate to your token endpoint. Your issuer is a second sandbox.',
	code: {
		file: 'callback.ts',
		line: 16,
		wrong: '// iss is not read\nawait exchange(code, session.issuer.tokenUrl);',
		marked: '// iss is not read',
		right: 'if (iss !== session.issuer.id)\n  throw new IssuerError();\nawait exchange(code, session.issuer.tokenUrl);'
	},
	tools: [
		{ kind: 'server', text: 'An issuer that Character Viewer knows' },
		{ kind: 'hold', text: 'A tool that holds what arrives at your issuer' },
		tools.page
	],
	world: {
		settings: { dialect: 'standard' },
		client: { issuer: 'ignored' },
		hasSecondIssuer: true,
		holds: holdsAtSecondIssuer
	},
	...secondIssuerLab,
	willBeChecked: () => 'by Tollgate: `client_id`, `redirect_uri`, `code_challenge`. All are those of the real client.',
	goal: { text: 'The log shows a code of **player-one** at your token endpoint', find: codeAtSecondIssuer },
	happened: {
		title: 'The right code, the wrong server',
		paragraphs: [
			'Character Viewer remembered that the sign-in was with **your** issuer. The response came from Tollgate, and it did not look who sent it.',
			'It sent you the code, its verifier, and a secret for your issuer. `state` was right.'
		],
		why: [
			{ isRight: false, text: 'The response did not have to name its issuer' },
			{ isRight: false, text: 'The token endpoint was chosen by the start alone' },
			{ isRight: true, text: '`state` and PKCE were used' }
		]
	},
	defense: {
		title: 'Compare iss',
		description: 'The response must name the issuer of the request',
		text: 'Now a response of Tollgate cannot end a sign-in that began with another issuer.',
		others: ['A different redirect URI for each issuer', 'One issuer only'],
		world: { client: {} }
	},
	rejected: {
		id: 'client.issuer_matches',
		title: 'The issuer is that of the request',
		text: 'Check of the client, line 16. The code was never sent.',
		place: 'client',
		section: 'RFC 9700 §4.4'
	},
	defended: {
		title: 'Another issuer, rejected',
		text: 'The response has `iss` of Tollgate, and the sign-in began with your issuer. Character Viewer compared both, and sent nothing.'
	},
	remains: [
		{ text: 'A service whose responses have no `iss`', lab: 'cross-tool-takeover' },
		{ text: 'A code with a wrong state is rejected', rule: 'callback.foreign_code' }
	],
	ownClient: [
		'Keep the issuer with each started sign-in, and compare `iss` of the response with it (RFC 9207).',
		'If the metadata of an issuer has `authorization_response_iss_parameter_supported`, a response without `iss` is an error.'
	],
	hints: [
		'Character Viewer sends the code to the issuer with which the sign-in began.',
		'Your issuer may redirect a browser wherever it wants.',
		'Link to a sign-in with your issuer, hold the request there, insert the `client_id` at Tollgate, and redirect.'
	],
	questions: [
		ask(
			'Why does PKCE not help here?',
			['The client sends its verifier to the attacker’s server', 'It arrives together with the code.'],
			['The challenge was removed', 'It was passed on as it was.'],
			['The verifier was guessed', 'It has 256 random bits.']
		)
	],
	notes: [
		'The second issuer is the attacker’s from the beginning. Ask which products let their users add an issuer by a URL.'
	]
};
