import { notes } from './notes.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { exchangedCode } from '#evidence/exchanges.ts';
import { resultOf } from '../evaluation/result-text.ts';
import type { Lesson } from '../lesson.ts';
import { conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	prediction: {
		question:
			'The state is not checked, and you open the attacker’s link in your browser. Whose account does the application use then?',
		shownBy: 'attacker_read',
		shows: 'body',
		comparison: {
			columns: ['State check off', 'State check on'],
			rows: ({ entries, shown }) => {
				const exchangeOf = (link: TrafficEntry | undefined) => {
					const exchange = link && entries.find((entry) => exchangedCode(entry) && entry.flow === link.flow);
					return link && (resultOf(exchange) ?? 'not exchanged');
				};
				return [
					[
						'Code of the attacker',
						exchangeOf(shown('uninvited_exchanged').at(-1)),
						exchangeOf(shown('code_left_alone')[0])
					]
				];
			}
		},
		options: [
			{
				text: 'Mine: my browser has my session',
				implies: ['200 OK', '{"name":"100% Orc"} without its location'],
				feedback: 'Your session is at the service, and the link never goes to its sign-in page. Only the code counts.'
			},
			{
				text: 'The attacker’s',
				implies: ['200 OK', '{"name":"100% Orc","location":…}'],
				feedback: 'The code was issued to player-three, so the tokens are for player-three, in every browser.',
				isRight: true
			},
			{
				text: 'No account: the code was not issued to my browser',
				implies: ['401 Unauthorized', '{"error":"invalid_token",…}'],
				feedback: 'A code is bound to a client and a redirect URI. It is not bound to a browser.'
			},
			{
				text: 'No account: the service sees another browser and rejects it',
				implies: ['400 Bad Request', '{"error":"invalid_grant",…}'],
				feedback:
					'The application sends the exchange, not the browser. The service sees the same application as always.'
			}
		]
	},
	attempts: 'all',
	conditions,
	explanation:
		'The service cannot tell in which browser a code arrives. Only the application can. It makes a random state for each sign-in, keeps it in the session of that browser, and compares it before it uses the code. Without that, a victim stores private data in the account of an attacker.',
	sections: ['2.1', '2.2', 'RFC 6749 §10.12', 'RFC 9700 §4.7'],
	help: {
		hint: 'Two links are needed: one while the state check is off, one while it is on. Each needs a new code.',
		call: '{curl} -i "{base_url}/control/authorization-response?client_id=$CLIENT_ID&redirect_uri=$REDIRECT_URI&code=$CODE"'
	},
	ownClient: {
		steps: [
			'Turn off the state check and PKCE in your program. Enter its client ID and redirect URI in the attack panel.',
			'Open the link. Let your program read a character with the token that it got.',
			'Turn the check on again. Open a second link, then sign in as player-one.'
		],
		code: `// At the callback, before anything else:
const expected = session.state;
delete session.state;
if (expected === undefined || url.searchParams.get('state') !== expected) return reject();
// Only now: exchange url.searchParams.get('code') at {base_url}/ws/oauth2/token/`
	},
	notes
};
