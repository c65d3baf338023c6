import type { TrafficEntry } from '#api/control/traffic.ts';
import { checkOf, failedAt, issued, isTokenRequest, passed } from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';
import { learner } from '../evaluation/common-conditions.ts';

const isPoll = (entry: TrafficEntry) => isTokenRequest(entry, 'urn:ietf:params:oauth:grant-type:device_code');
/** A poll that came in time, and whose user had not decided. */
const isPending = (entry: TrafficEntry) =>
	isPoll(entry) && checkOf(entry, 'token.device_user_decided')?.cause === 'undecided';

const poll = { kind: 'request', request: 'device_poll', client: 'companion', marks: 'device_code' } as const;
const polled = { from: 'application', to: 'authorization', label: 'POST token · device code' } as const;

export const lesson: Lesson = {
	stage: {
		intro: [
			'A television or a command-line program has no browser for the consent page. It shows a short code instead. The user enters it on a page of the service, with a phone or a laptop, and signs in there.',
			'Meanwhile the device asks the service again and again for an access token. How often it may ask is part of the protocol. Like an installed application, it keeps no secret. In this lesson you are the device and its user.'
		],
		terms: ['consent page', 'access token', 'installed application'],
		able: [
			'say what the device code and the user code are for',
			'poll at the interval that the service asks for',
			'tell the errors to wait on from those to stop at'
		],
		known: [
			{
				from: 'application',
				to: 'authorization',
				label: 'POST device_authorization',
				reply: '200 device code, user code'
			},
			{ from: 'application', to: 'authorization', label: 'POST token · device code, too early' }
		],
		predictionTitle: 'A poll that comes too early',
		steps: [
			{
				title: 'Ask for codes',
				text: 'Select **Send request**. The response has a `device_code` for the device and a `user_code` for its user.',
				tools: [{ kind: 'request', request: 'device_authorization', client: 'companion', marks: 'client_id' }],
				condition: 'codes_issued',
				expected: [{ from: 'application', to: 'authorization', label: 'POST device_authorization' }]
			},
			{
				title: 'Poll before the user decides',
				text: 'Select **Send request**. The device asks for tokens with its `device_code`.',
				tools: [poll],
				condition: 'pending',
				expected: [polled]
			},
			{
				title: 'Poll too early',
				text: 'Select **Send request** until two polls are less than `interval` seconds apart.',
				tools: [poll],
				condition: 'slowed_down',
				expected: [polled]
			},
			{
				title: 'Allow access as the user',
				text: 'Select **Open device page**, compare the code, and allow access as `player-one`.',
				tools: [{ kind: 'device' }],
				condition: 'allowed',
				expected: [{ from: 'browser', to: 'authorization', label: 'POST device · allow' }]
			},
			{
				title: 'Poll for the tokens',
				text: 'Select **Send request**. The user has decided, so this poll ends the waiting.',
				tools: [poll],
				condition: 'tokens_issued',
				expected: [polled]
			}
		],
		result: 'Slow down',
		question: {
			title: 'Who allowed it?',
			text: 'The device never saw a password. Select the request that gave it access.',
			solution: { condition: 'allowed', part: 'request' },
			right: 'The browser of the user sent it, to a page of the service. Only the user code joins the two.',
			wrong: 'The device sends only its device code. Look for the request from the browser that decided.'
		},
		learnt: {
			title: 'Go on after two errors only',
			text: 'Wait `interval` seconds after `authorization_pending`, and 5 more for all further polls after `slow_down`. Every other error ends the polling. Users must compare the code, because an attacker can send them a link with another one.',
			code: "if (error === 'slow_down') interval += 5;\nelse if (error !== 'authorization_pending') return;\nawait sleep(interval * 1000);"
		}
	},
	start: { settings: { dialect: 'standard' } },
	prediction: {
		question: 'The interval is 5 seconds. The device polls a second time after one second. What comes back?',
		shownBy: 'slowed_down',
		shows: 'body error',
		options: [
			{
				text: 'authorization_pending: the user has not decided',
				implies: ['400 Bad Request', '"error":"authorization_pending"'],
				feedback: 'That comes for a poll in time. The service checks the interval first.'
			},
			{
				text: 'slow_down: each further wait is 5 seconds longer',
				implies: ['400 Bad Request', '"error":"slow_down"'],
				feedback: 'The new interval holds for all further polls of this device code.',
				isRight: true
			},
			{
				text: 'Too many requests, with a time to wait',
				implies: ['429 Too Many Requests', '"error":"rate_limit_exceeded"'],
				feedback: 'The interval belongs to this device code. It is not the limit of an address.'
			},
			{
				text: 'expired_token: the device code has ended',
				implies: ['400 Bad Request', '"error":"expired_token"'],
				feedback: 'The codes live for 10 minutes. A poll that comes too early does not end them.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		{
			id: 'codes_issued',
			label: 'The device got a device code and a user code',
			unmet: 'No device has asked for codes. Send the device authorization request.',
			shows: (entry) => passed(entry, 'device.codes_issued')
		},
		{
			id: 'pending',
			label: 'A poll got authorization_pending',
			unmet: 'No poll came while the user had not decided. Poll with the device code.',
			shows: isPending
		},
		{
			id: 'slowed_down',
			label: 'A poll came too early and got slow_down',
			unmet: 'No poll came too early. Send two polls within 5 seconds.',
			shows: (entry) => failedAt(entry, 'token.device_interval_kept'),
			why: (entry) =>
				isPending(entry) ? 'This poll came in time. Select Send request again within 5 seconds.' : undefined
		},
		{
			id: 'allowed',
			label: 'The user allowed access on the device page',
			unmet: 'The user has not allowed access. Open the device page, and allow it as player-one.',
			user: learner,
			shows: (entry) => passed(entry, 'device.decided') && entry.grant !== undefined
		},
		{
			id: 'tokens_issued',
			label: 'A poll got the tokens',
			unmet: 'The user has allowed access, and the device does not know it yet. Poll again.',
			user: learner,
			shows: (entry) => isPoll(entry) && issued(entry, 'access_token') !== undefined
		}
	],
	explanation:
		'The device code stays on the device, and the user code connects it with a browser. The service says how often a device may poll. A poll that comes too early makes the interval longer. A decision ends the waiting, and the next poll gets the tokens or access_denied.',
	sections: ['RFC 8628 §3.2', 'RFC 8628 §3.5', 'RFC 8628 §5.4'],
	help: {
		hint: 'The first poll never comes too early. The second one has to come within 5 seconds of it.',
		call: '{curl} {base_url}/ws/oauth2/token/ -d grant_type=urn:ietf:params:oauth:grant-type:device_code -d client_id=pocket-companion -d device_code=$DEVICE_CODE'
	},
	ownClient: {
		steps: [
			'Ask for codes, and show the user code with its address.',
			'Poll twice at once, and read the error. Then poll at the longer interval.',
			'Allow access as `player-one`, and stop polling at the tokens.'
		],
		code: '{curl} {base_url}/ws/oauth2/device_authorization -d client_id=pocket-companion -d scope=character_read\n{curl} {base_url}/ws/oauth2/token/ -d grant_type=urn:ietf:params:oauth:grant-type:device_code \\\n  -d client_id=pocket-companion -d device_code="$DEVICE_CODE"'
	},
	notes: {
		discuss: 6,
		watch:
			'Learners who read the response for more than 5 seconds get authorization_pending again. Two quick presses show slow_down.',
		mistakes: [
			{
				belief: 'slow_down means one longer wait.',
				reply: 'The interval stays longer for all further polls of this device code.'
			},
			{
				belief: 'The code is safe because the page is the real one.',
				reply: 'The device that asked for the codes gets the tokens. The user must compare the code with an own device.'
			}
		],
		questions: [
			{
				question: 'What does a program do after access_denied?',
				listenFor: 'It stops polling, tells its user, and asks for new codes only if the user wants that.'
			},
			{
				question: 'Which of your programs need the device flow?',
				listenFor: 'Those without a browser and without an address to redirect to. Others use a redirect and PKCE.'
			}
		]
	}
};
