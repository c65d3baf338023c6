import { notes } from './notes.ts';
import type { Lesson } from '../lesson.ts';
import { conditions } from './conditions.ts';

export const lesson: Lesson = {
	start: { settings: { limits: { character: 20, blacklist_after_refused: 30 } } },
	panels: ['viewer', 'support', 'rate-limits', 'timeline'],
	steps: [
		{
			text: 'Sign in as `player-one` and press **Start load test**. Let it run until it ends.',
			panel: 'viewer'
		},
		{ text: 'Look at the last requests: they have no response at all.', panel: 'timeline' },
		{ text: 'Request the rate limiting status: press **Check now** in the notice of the viewer.', panel: 'viewer' },
		{ text: 'File a ticket: why it happened, and what you changed.', panel: 'support' },
		{ text: 'You also own this sandbox. Press **Unblock** at the ticket.', panel: 'support' },
		{ text: 'Look up `Mara Vell` again.', panel: 'viewer' }
	],
	prediction: {
		question:
			'Your address is blacklisted. You send a request with another application and another user, from the same machine. What comes back?',
		shownBy: 'no_response',
		options: [
			{
				text: 'A response: the application was blacklisted',
				feedback: 'The service counts by address. It does not look at the client ID first.'
			},
			{
				text: 'A response: the user was blacklisted',
				feedback: 'Users share an address, and one limit. The entry in the blacklist is the address.'
			},
			{
				text: 'Nothing: the connection closes without a response',
				feedback: 'Every request from the address ends at the first check, for any client.',
				isRight: true
			},
			{
				text: '403 with a reason',
				feedback: 'A response would tell you what happened. The specification says: no response to any request.'
			}
		]
	},
	attempts: 'all',
	conditions,
	goal: [
		{ from: 'application', to: 'resource', label: '30 requests over the limit', condition: 'blacklisted' },
		{
			from: 'application',
			to: 'resource',
			label: 'any request: no response',
			isRejected: true,
			condition: 'no_response'
		},
		{ from: 'application', to: 'resource', label: 'GET /ratelimiting', condition: 'status_read' },
		{ from: 'user', to: 'resource', label: 'Support ticket', condition: 'ticket_filed' },
		{ from: 'resource', to: 'user', label: 'Unblocked', isReply: true, condition: 'unblocked' },
		{ from: 'application', to: 'resource', label: 'GET /ws/v2.0/character/', condition: 'reads_again' }
	],
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
