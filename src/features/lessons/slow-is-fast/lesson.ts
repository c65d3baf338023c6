import { notes } from './notes.ts';
import type { Lesson } from '../lesson.ts';
import { comparison, conditions, limit } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	// A short window: no user has to wait an hour for a reset.
	start: { settings: { limits: { character: limit, window: 10 } } },
	prediction: {
		question: 'The 21st request comes back with status 400. What should a client conclude?',
		shownBy: 'limit_met',
		shows: 'body',
		comparison,
		options: [
			{
				text: 'The request is malformed. Fix it.',
				implies: ['400 Bad Request', '{"error":"invalid_request",…}'],
				feedback: 'It is the same request as the 20 before it. The body says rate_limit_exceeded.'
			},
			{
				text: 'The token is bad. Sign in again.',
				implies: ['401 Unauthorized', '{"error":"invalid_token",…}'],
				feedback: 'A bad token gets 401. A new sign-in changes nothing about the limit of your address.'
			},
			{
				text: 'Nothing yet. Read the body, then wait until the reset.',
				implies: ['400 Bad Request', '{"error":"rate_limit_exceeded",…}'],
				feedback: 'The body names the limit, and the headers say when it resets.',
				isRight: true
			},
			{
				text: 'The network failed. Send it again at once.',
				implies: ['No response', 'The connection failed.'],
				feedback: 'A response arrived, so the network works. Each repeat counts toward the blacklist.'
			}
		]
	},
	attempts: 'all',
	conditions,
	explanation:
		'Where others send 429, this service sends 400, so a client has to read the body. A rejected request brings nothing and counts toward the blacklist. Divide the time until the reset by the requests that are left, and pause that long between requests. After the reset, start with a small random delay.',
	sections: ['3.3', '7', '8.6', '8.9'],
	help: {
		hint: 'Loading at once ignores the limit. Loading in turn respects it, and continues automatically after the reset.',
		call: 'for i in $(seq 40); do {curl} -s \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN"; sleep 1; done'
	},
	ownClient: {
		steps: [
			'Send requests until one of them is over the limit of 20.',
			'Wait for the reset. Then get 40 responses with at most two rejected requests, without signing in again.'
		],
		code: `for (let characters = 0; characters < 40; ) {
	const response = await fetch('{base_url}/ws/v2.0/character/Mara%20Vell', { headers: { authorization } });
	if (response.ok) characters++;
	const wait = response.headers.get('x-ratelimit-reset') - Date.parse(response.headers.get('date')) / 1000;
	const left = response.headers.get('x-ratelimit-remaining');
	await new Promise((done) => setTimeout(done, (1000 * wait) / Math.max(1, left)));
}`
	},
	notes
};
