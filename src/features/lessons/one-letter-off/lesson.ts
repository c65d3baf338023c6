import { notes } from './notes.ts';
import { resultOf } from '../evaluation/result-text.ts';
import { sentDifference } from '../uri-difference.ts';
import type { ComparedRow, Lesson } from '../lesson.ts';
import { conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
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
	conditions,
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
	notes
};
