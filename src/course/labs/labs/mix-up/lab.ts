import { defenses } from '../defenses.ts';
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
	goal: { text: 'A code of **player-one** arrives at your token endpoint', find: codeAtSecondIssuer },
	happened: {
		title: 'The right code, the wrong server',
		paragraphs: [
			'Character Viewer remembered that the sign-in was with **your** issuer. The response came from Tollgate, and it did not look who sent it.',
			'It sent you the code, its verifier, and a secret for your issuer. `state` was right.',
			'What you do with it: a client without a secret has lost, because code and verifier get the tokens at Tollgate. Character Viewer has a secret there, which you did not get. Then you inject the code: your own browser brings it to the client.'
		],
		why: [
			{ isRight: false, text: 'The response did not have to name its issuer' },
			{ isRight: false, text: 'The token endpoint was chosen by the start alone' },
			{ isRight: true, text: '`state` and PKCE were used' }
		]
	},
	defense: {
		title: 'Compare iss',
		text: 'Now a response of Tollgate cannot end a sign-in that began with another issuer.',
		others: ['A different redirect URI for each issuer', 'One issuer only'],
		world: { client: { issuer: 'compared' } }
	},
	wrongDefenses: {
		tooStrict: {
			title: 'Compare iss with the token URL',
			code: 'if (iss !== session.issuer.tokenUrl)\n  throw new IssuerError();',
			file: 'callback.ts, line 16',
			section: 'RFC 9207 §2.4',
			text: 'The value to compare is the identifier of the issuer. A token URL is another text.',
			world: { client: { issuer: 'token_url' } }
		},
		noEffect: defenses.shortCodes,
		otherAttack: {
			...defenses.dpop,
			text: 'A copied token is useless without the key. Here the code is sent to the wrong server, before there is a token.'
		}
	},
	rejected: {
		id: 'client.issuer_matches',
		title: 'The issuer is that of the request',
		text: 'Check of the client, line 16. The code was never sent.',
		place: 'client',
		section: 'RFC 9700 §4.4.2.1'
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
		'Look at what your issuer may do with a browser that arrives: it may respond with any redirect.',
		'The held request has a value that only your issuer knows. Tollgate knows Character Viewer by another one, which your own sign-in shows.'
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
