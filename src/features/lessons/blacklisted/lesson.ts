import { resultOf } from '../evaluation/result-text.ts';
import type { Lesson } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import type { Context } from '../evaluation/condition.ts';
import { checkOf, readCharacter, succeeded } from '#evidence/exchanges.ts';

const isBan = (entry: TrafficEntry) => checkOf(entry, 'rate_limit.not_exceeded')?.cause === 'now_blacklisted';

/** A fault can leave a request without a response too. */
const isIgnored = (entry: TrafficEntry) =>
	entry.response === null && entry.trace.at(-1)?.id === 'address.not_blacklisted';

/** Whether the address of a request was blacklisted before. */
const isBanned = ({ address }: TrafficEntry, { before }: Pick<Context, 'before'>) =>
	before.some((entry) => isBan(entry) && entry.address === address);

/** A successful request to the tickets: `/control/tickets`, or `/control/tickets/` with an id. */
const isTicketRequest = (entry: TrafficEntry, id: string) =>
	entry.endpoint === 'control' &&
	entry.request.method === 'POST' &&
	succeeded(entry) &&
	entry.request.target.endsWith(`/control/tickets${id}`);

/** The ticket that was filed from an address while it was blacklisted. */
const isFiled = (entry: TrafficEntry, context: Pick<Context, 'before'>) =>
	isTicketRequest(entry, '') && isBanned(entry, context);

/** The id of the ticket that an exchange filed. */
const idOf = ({ response }: TrafficEntry) => /"id": ?"([^"]+)"/.exec(response?.body ?? '')?.[1] ?? '';

/** The decision about a ticket that was filed before. */
const isDecision = (entry: TrafficEntry, { before }: Context, decision: 'unblock' | 'reject') =>
	new RegExp(`"decision": ?"${decision}"`).test(entry.request.body) &&
	before.some((one, at) => isFiled(one, { before: before.slice(0, at) }) && isTicketRequest(entry, `/${idOf(one)}`));

export const lesson: Lesson = {
	stage: {
		intro: [
			'A program that ignores the rate limit goes on sending. After a number of rejected requests the service puts its address on the blacklist.',
			'What does a client see then? And how does it get out? Waiting does not help. In this lesson you get blacklisted on purpose, find out what happened, and write a support ticket. You also own this sandbox, so you decide the ticket yourself.'
		],
		terms: ['rate limit', 'blacklist', 'support ticket'],
		able: [
			'recognize that an address is blacklisted',
			'ask for the status of an address',
			'write a ticket that gets it unblocked'
		],
		known: [
			{ from: 'application', to: 'resource', label: 'over the limit', reply: '400 rate_limit_exceeded' },
			{ from: 'application', to: 'resource', label: 'one request too many' }
		],
		predictionTitle: 'The next request',
		steps: [
			{
				title: 'Sign in as player-one',
				text: 'Select **Sign in with {brand}**, choose `player-one`, and allow access.',
				tools: [{ kind: 'sign-in', access: 'online' }],
				condition: 'signed_in',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }],
				folds: 'Sign-in of player-one'
			},
			{
				title: 'Ignore the limit',
				text: 'Select **Start load test**, and let it run until it ends.',
				tools: [{ kind: 'load', mode: 'untilBlacklisted' }],
				condition: 'no_response',
				expected: [{ from: 'application', to: 'resource', label: '30 requests over the limit' }]
			},
			{
				title: 'Find out what happened',
				text: 'One path still responds. Select **Check status**.',
				tools: [{ kind: 'status' }],
				condition: 'status_read',
				expected: [{ from: 'application', to: 'resource', label: 'GET ratelimiting' }]
			},
			{
				title: 'File a ticket',
				text: 'Say why it happened and what you changed, then select **File ticket**.',
				tools: [{ kind: 'tickets', shows: 'file' }],
				condition: 'ticket_filed',
				expected: [{ from: 'application', to: 'authorization', label: 'POST tickets' }]
			},
			{
				title: 'Decide it as the owner',
				text: 'You also own this sandbox. Read the ticket, and select **Unblock**.',
				tools: [{ kind: 'tickets', shows: 'decide' }],
				condition: 'unblocked',
				expected: [{ from: 'application', to: 'authorization', label: 'POST tickets · decision' }]
			},
			{
				title: 'Read a character again',
				text: 'Select **Look up**.',
				tools: [{ kind: 'look-up', name: 'Mara Vell' }],
				condition: 'reads_again',
				expected: [{ from: 'application', to: 'resource', label: 'GET character/Mara Vell' }]
			}
		],
		result: 'No response at all',
		question: {
			title: 'Which request still worked?',
			text: 'While the address was blacklisted, the application asked what had happened. Select the response.',
			solution: { condition: 'status_read', part: 'response' },
			right:
				'The status path responds to blacklisted addresses too. Requests to all other paths of the service end without a response.',
			wrong: 'Look for the status between the requests without a response and the ticket.'
		},
		learnt: {
			title: 'When all is silent, stop and ask',
			text: 'A blacklisted address looks like a broken network, and waiting does not end it. Stop all requests, read the status, change the program, then write the ticket.',
			code: "if (noResponse) {\n\tqueue.pause();\n\tawait fetch('/ratelimiting');\n}"
		}
	},
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
	conditions: [
		signedIn,
		{
			id: 'blacklisted',
			label: 'The address was blacklisted',
			unmet: 'No address is blacklisted yet. Send requests over the limit until 30 of them were rejected.',
			shows: isBan
		},
		{
			id: 'no_response',
			label: 'A later request got no response',
			unmet: 'The address is blacklisted. Send one more request, to any endpoint, and see what comes back.',
			shows: (entry, context) => isIgnored(entry) && isBanned(entry, context)
		},
		{
			id: 'status_read',
			label: 'The rate limiting status was read from that address',
			unmet: 'The address gets no response. Request the one path that still responds: /ratelimiting.',
			shows: (entry, context) =>
				entry.endpoint === 'ratelimiting' && entry.response?.status === 200 && isBanned(entry, context)
		},
		{
			id: 'ticket_filed',
			label: 'A support ticket was filed from that address',
			unmet: 'You know why there is no response. File a support ticket with the reason and the fix.',
			shows: isFiled
		},
		{
			id: 'unblocked',
			label: 'The ticket was accepted',
			unmet: 'The ticket has not been accepted. Decide it as the owner of the sandbox: unblock the address.',
			shows: (entry, context) => isDecision(entry, context, 'unblock'),
			why: (entry, context) =>
				isDecision(entry, context, 'reject')
					? 'You rejected the ticket, so the address stays blocked. File another ticket, then unblock it.'
					: undefined
		},
		{
			id: 'reads_again',
			label: 'The application reads characters again',
			unmet: 'The address is unblocked. Read one character from it.',
			shows: (entry, context) => readCharacter(entry) && isBanned(entry, context)
		}
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
	notes: {
		discuss: 6,
		watch: 'Let the load test run to its end. Read two tickets aloud: would you unblock this address?',
		mistakes: [
			{
				belief: 'Another application or another user still works.',
				reply: 'The address is counted first. Nothing else is looked at.'
			},
			{
				belief: 'There is an error message.',
				reply: 'The connection closes. To the program it looks like a broken network.'
			}
		],
		questions: [
			{
				question: 'How does a program tell a blacklist from a network failure?',
				listenFor: 'Everything fails at once, and /ratelimiting still responds.'
			},
			{
				question: 'What belongs in the ticket?',
				listenFor: 'What the program did, why, and which change prevents it. Not only an apology.'
			}
		]
	}
};
