import { notes } from './notes.ts';
import type { Lesson } from '../lesson.ts';
import { comparison, conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	// The clock of the service differs from that of the learner, so only the Date header helps.
	start: { offset: 2 * 3600 },
	fields: [
		{ id: 'calls_left', label: 'Character requests left' },
		{ id: 'seconds_until_reset', label: 'Seconds until the reset' }
	],
	prediction: {
		question: 'You request /ws/v2.0/ratelimits to see how many requests are left. What does that cost?',
		shownBy: 'limits_requested',
		comparison,
		shows: 'X-RateLimit-Limit',
		options: [
			{
				text: 'Nothing, because only resources are counted',
				implies: ['200 OK', 'X-RateLimit-Limit: none'],
				feedback: 'The rate limits are a resource too. The response has its own X-RateLimit headers.'
			},
			{
				text: 'One of the 600 character requests',
				implies: ['200 OK', 'X-RateLimit-Limit: 600'],
				feedback: 'There is not one counter for all. The character limit did not move.'
			},
			{
				text: 'One request of a separate, smaller limit',
				implies: ['200 OK', 'X-RateLimit-Limit: below 600'],
				feedback: 'The headers of all other responses say the same, at no cost.',
				isRight: true
			},
			{
				text: 'Nothing, and the window starts again',
				implies: ['200 OK', 'X-RateLimit-Reset: later'],
				feedback: 'The reset is fixed when the window begins. Requests do not move it.'
			}
		]
	},
	attempts: 'all',
	conditions,
	explanation:
		'You need no extra request: every response says how many requests are left and when the window ends. The end is a time of the service’s clock, so subtract the Date of the same response. The clock of your machine may differ. All programs behind one public address share the limit.',
	sections: ['2.5', '8.2', '8.4', '8.5'],
	help: {
		hint: 'The clock of this sandbox is two hours ahead of yours. Both numbers that you subtract must come from the service.',
		call: '{curl} -si \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN" | grep -i -e ratelimit -e ^date'
	},
	ownClient: {
		steps: [
			'Read five characters, and request `/ws/v2.0/ratelimits` once.',
			'Print the requests left and the seconds until the reset of the last character response, and enter both.'
		],
		code: `const { headers } = await fetch('{base_url}/ws/v2.0/character/Mara%20Vell', { headers: { authorization } });
const seconds = headers.get('x-ratelimit-reset') - Date.parse(headers.get('date')) / 1000;
console.log(headers.get('x-ratelimit-remaining'), seconds);`
	},
	notes
};
