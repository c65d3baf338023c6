import { notes } from './notes.ts';
import { resultOf } from '../evaluation/result-text.ts';
import type { Lesson } from '../lesson.ts';
import { conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	start: { settings: { limits: { character: 20, blacklist_after_refused: 30 } } },
	prediction: {
		question: 'Your address is blacklisted, and the application sends another request. What comes back?',
		shownBy: 'no_response',
		shows: 'body',
		comparison: {
			columns: ['While blacklisted', 'After the ticket'],
			rows: ({ shown }) => [['A request', resultOf(shown('no_response').at(-1)), resultOf(shown('reads_again').at(-1))]]
		},
		options: [
			{
				text: 'A character: each request is judged again',
				implies: ['200 OK', '{"name":"Mara Vell",…}'],
				feedback: 'The entry in the blacklist is the address. It stays until the owner of the sandbox removes it.'
			},
			{
				text: '400 with `rate_limit_exceeded`, as before',
				implies: ['400 Bad Request', '{"error":"rate_limit_exceeded",…}'],
				feedback: 'That was the response before. Now the request ends before its limit is checked.'
			},
			{
				text: 'Nothing: the connection closes without a response',
				implies: ['No response', 'The connection was closed.'],
				feedback: 'Every request from the address ends at the first check, for any client.',
				isRight: true
			},
			{
				text: '403 with a reason',
				implies: ['403 Forbidden', '{"error":"blacklisted",…}'],
				feedback: 'A response would tell you what happened. The specification says: no response to any request.'
			}
		]
	},
	attempts: 'all',
	conditions,
	explanation:
		'To your code, a blacklisted address looks like a broken network, and it does not end automatically. When every request stays without a response, stop all of them and ask /ratelimiting, which still responds. Then change the program before you write the ticket. No address is exempt from the limits.',
	sections: ['3.3', '8.5', '8.7', '8.8'],
	help: {
		hint: 'The load test goes on after the limit until nothing comes back. This page keeps working, because the control API still responds.',
		call: "{curl} {base_url}/ratelimiting -H 'Accept: application/json'"
	},
	ownClient: {
		steps: [
			'Send requests over the limit until nothing comes back. Then stop.',
			'Request `/ratelimiting`, and file a ticket with the reason and the fix.',
			'Unblock the address in the support panel, and read one character.'
		],
		code: `{curl} {base_url}/control/tickets -H 'Content-Type: application/json' \\
  -d '{"reason": "A loop did not stop at the limit.", "resolution": "It waits for the reset."}'`
	},
	notes
};
