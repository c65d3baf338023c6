import { resultOf } from '../evaluation/result-text.ts';
import { sentDifference } from '../uri-difference.ts';
import type { ComparedRow, Lesson } from '../lesson.ts';
import { outOfBandUri } from '#client/oauth/client-registration.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Context } from '../evaluation/condition.ts';
import { checkOf, failedAt, parameter, passed } from '#evidence/exchanges.ts';
import { characterViewer } from '#client/demo-clients.ts';

type Difference = 'scheme' | 'letter_case' | 'slash';

const check = 'auth.redirect_uri_registered';
const localhost = /^http:\/\/localhost(?::(\d+))?\/?$/;

/** The one difference between two URIs, or undefined if there is none, more than one, or another. */
function differenceOf(sent: string, registered: string): Difference | undefined {
	if (sent === registered) return undefined;
	if (sent.toLowerCase() === registered.toLowerCase()) return 'letter_case';
	if (sent === `${registered}/` || registered === `${sent}/`) return 'slash';
	return afterScheme(sent) !== undefined && afterScheme(sent) === afterScheme(registered) ? 'scheme' : undefined;
}

function afterScheme(uri: string): string | undefined {
	return /^[a-z][a-z\d+.-]*:\/\/(.*)$/is.exec(uri)?.[1];
}

const rejectedFor =
	(difference: Difference) =>
	(entry: TrafficEntry): boolean => {
		const { found, expected } = checkOf(entry, check) ?? {};
		if (!failedAt(entry, check) || found === undefined || expected === undefined) return false;
		const registered = expected.split('\n');
		// The port of an installed application is no difference.
		const sent = registered.includes(outOfBandUri) ? found.replace(/^(https?:\/\/localhost):\d+/i, '$1') : found;
		return registered.some((uri) => differenceOf(sent, uri) === difference);
	};

/** The port of a redirect URI on localhost that the service accepted, with the application. */
function acceptedPort(entry: TrafficEntry): { client_id: string; port: number } | undefined {
	const [uri, port = 80] = localhost.exec(parameter(entry, 'redirect_uri') ?? '') ?? [];
	if (entry.endpoint !== 'auth' || entry.client_id === undefined || uri === undefined || !passed(entry, check))
		return undefined;
	return { client_id: entry.client_id, port: Number(port) };
}

/** The same application was accepted with another port in this step. */
function secondPortAccepted(entry: TrafficEntry, { since }: Context): false | readonly TrafficEntry[] {
	const second = acceptedPort(entry);
	const earlier = since.find((one) => {
		const first = acceptedPort(one);
		return first !== undefined && first.client_id === second?.client_id && first.port !== second.port;
	});
	return earlier !== undefined && [earlier];
}

const path = new URL(characterViewer('https://localhost').redirect_uri).pathname;

export const lesson: Lesson = {
	stage: {
		intro: [
			'After you allow access, the service sends your browser to the redirect URI, with the authorization code. The application registers this address beforehand, so that no other address gets the code.',
			`A web server often treats \`${path}\` and \`${path}/\` alike. Does the service? In this lesson you change one character of the address at a time, and see what an installed application may change.`.replaceAll(
				'`',
				''
			)
		],
		terms: ['redirect URI', 'authorization code', 'installed application'],
		able: [
			'say which differences of a redirect URI matter',
			'explain why a wrong one gets an error page, not a redirect',
			'use a free port in an installed application'
		],
		known: [
			{ from: 'browser', to: 'authorization', label: 'GET auth · registered URI', reply: '303 to the redirect URI' },
			{ from: 'browser', to: 'authorization', label: 'GET auth · one character more' }
		],
		predictionTitle: 'One character more',
		steps: [
			{
				title: 'Add a slash',
				text: 'Add a `/` to the end of `redirect_uri`, and select **Open request**. Look at the page in the new tab, then come back.',
				tools: [
					{ kind: 'request', request: 'authorization', edits: ['redirect_uri'], marks: 'redirect_uri', opensTab: true }
				],
				condition: 'slash_rejected',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · URI with /' }]
			},
			{
				title: 'Change the letter case',
				text: 'Remove the slash. Change one letter of the path to a capital, and select **Open request**.',
				tools: [
					{ kind: 'request', request: 'authorization', edits: ['redirect_uri'], marks: 'redirect_uri', opensTab: true }
				],
				condition: 'letter_case_rejected',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · a capital' }]
			},
			{
				title: 'Change the scheme',
				text: 'Restore the letter. Select **Pause at redirect out**, then **Open request**. In the new tab, write `{other_scheme}` instead of `{scheme}`, and select **Release with changes**.',
				tools: [
					{
						kind: 'pause',
						point: 'authorization_request',
						text: 'The request waits in the new tab. Change `redirect_uri` there, and read which check should fail.'
					},
					{ kind: 'request', request: 'authorization', edits: ['redirect_uri'], marks: 'redirect_uri', opensTab: true }
				],
				condition: 'scheme_rejected',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · other scheme' }]
			},
			{
				title: 'Use two ports of localhost',
				text: 'Pocket Companion is an installed application. Select **Open request**, then change the port to `4181`, and open it again.',
				tools: [
					{
						kind: 'request',
						request: 'authorization',
						client: 'companion',
						sets: { redirect_uri: 'http://localhost:4180' },
						edits: ['redirect_uri'],
						marks: 'redirect_uri',
						opensTab: true
					}
				],
				condition: 'port_accepted',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · two ports' }]
			}
		],
		result: 'An error page, and no redirect',
		question: {
			title: 'Which one may vary?',
			text: 'Three of your requests differ from the registered address and were rejected. Select the response to one that differs and was accepted.',
			solution: { condition: 'port_accepted', part: 'response', accepts: (_, isShown) => isShown },
			right:
				'The port of an installed application on localhost is free: the listener runs on the computer of the user.',
			wrong: 'The service rejected this one. Look for a response that is not red.'
		},
		learnt: {
			title: 'Every character counts',
			text: 'The code goes to the redirect URI, so the service compares it character by character. An unknown address gets nothing, not even an error.',
			code: "// Exactly as registered, in both requests:\nconst redirect_uri = 'https://app.example/callback';"
		}
	},
	prediction: {
		question: 'The redirect URI of your request ends with a `/` that the registered one does not have. What happens?',
		shownBy: 'slash_rejected',
		shows: 'body',
		comparison: {
			columns: ['Sent', 'Response'],
			rows: ({ shown }) => {
				const row = (label: string, condition: string): ComparedRow => {
					const entry = shown(condition).at(-1);
					return [label, entry && sentDifference(entry), resultOf(entry)];
				};
				return [
					row('Slash', 'slash_rejected'),
					row('Letter case', 'letter_case_rejected'),
					row('Scheme', 'scheme_rejected'),
					row('Port', 'port_accepted')
				];
			}
		},
		options: [
			{
				text: 'The browser goes to the registered URI',
				implies: ['303 See Other', 'Location: /viewer/callback?code=…'],
				feedback: 'The service does not look for a similar URI. It compares two strings, and they differ.'
			},
			{
				text: 'The browser goes to the URI that was sent, with `error=invalid_request`',
				implies: ['303 See Other', 'Location: /viewer/callback/?error=invalid_request'],
				feedback: 'Other errors do that. With this one, the address itself is not trusted.'
			},
			{
				text: 'The service shows an error page',
				implies: ['400 Bad Request', 'an error page'],
				feedback: 'The browser goes nowhere, so an unknown address learns nothing.',
				isRight: true
			},
			{
				text: 'The request works, because both URIs open the same page',
				implies: ['200 OK', 'the sign-in page'],
				feedback: 'A web server may treat both alike. The service cannot know that, and compares characters.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		{
			id: 'slash_rejected',
			label: 'The service rejected a slash too many or too few',
			unmet:
				'Send an authorization request whose redirect URI differs from the registered one only in the slash at its end.',
			shows: rejectedFor('slash')
		},
		{
			id: 'letter_case_rejected',
			label: 'The service rejected another letter case',
			unmet: 'The slash is done. Now change a letter of the redirect URI to a capital, and nothing else.',
			shows: rejectedFor('letter_case')
		},
		{
			id: 'scheme_rejected',
			label: 'The service rejected another scheme',
			unmet: 'Slash and letter case are done. Now send the redirect URI with the other scheme, http or https.',
			shows: rejectedFor('scheme')
		},
		{
			id: 'port_accepted',
			label: 'The service accepted two ports of an installed application',
			unmet:
				'The service has not accepted two ports of one installed application. Send http://localhost with two different ports.',
			shows: secondPortAccepted
		}
	],
	explanation:
		'The code is sent to the redirect URI. If the service accepted similar URIs, an attacker could register one and collect codes. So every character must match, and an unknown address does not even get an error. An installed application is the exception: its port on localhost is free, because the listener runs on the user’s own computer.',
	sections: ['2.1', '3.2', 'RFC 9700 §4.1'],
	help: {
		hint: 'Start from a request that works and change one part of `redirect_uri`. Restore it before the next change.',
		call: "{curl} '{base_url}/ws/oauth2/auth/?response_type=code&client_id=character-viewer&redirect_uri={base_url}/viewer/callback/&scope=character_read&state=s'"
	},
	ownClient: {
		steps: [
			'Add a `/` to the redirect URI in your configuration, or remove the one at its end, and start a sign-in.',
			'Do the same with one capital letter, and then with the other scheme.',
			'Start the sign-in of an installed application on two ports of localhost.',
			'Restore your configuration.'
		],
		code: `for uri in {base_url}/viewer/callback/ {base_url}/viewer/Callback; do
  {curl} -G '{base_url}/ws/oauth2/auth/' -d response_type=code -d client_id=character-viewer \\
    -d scope=character_read -d state=s --data-urlencode "redirect_uri=$uri"
done
for port in 4180 4181; do
  {curl} -G '{base_url}/ws/oauth2/auth/' -d response_type=code -d client_id=pocket-companion \\
    -d scope=character_read -d state=s --data-urlencode "redirect_uri=http://localhost:$port"
done`
	},
	notes: {
		discuss: 7,
		watch:
			'Four requests with one change each. Learners who change two things at once do not know which one was rejected. Ask them to restore the URI first.',
		mistakes: [
			{
				belief: 'The service returns to the registered address.',
				reply: 'It compares two strings and does not guess. An attacker would use any tolerance.'
			},
			{
				belief: 'Every error comes back to the application.',
				reply: 'Every other error does. An address that is not registered gets nothing, not even an error.'
			}
		],
		questions: [
			{
				question: 'Which parts of a URI would you compare without regard to case?',
				listenFor: 'None here. Scheme and host are case-insensitive in a URL, but the comparison is by characters.'
			},
			{
				question: 'Why may an installed application choose its port?',
				listenFor: 'The port is only free once the program runs, and localhost is the machine of the user.'
			}
		]
	}
};
