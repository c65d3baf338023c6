import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Rate limit headers',
	goal: 'Say from one response how many requests are left, and for how long.',
	order: 10,
	chapter: 'Limits',
	minutes: 7,
	review: [
		{
			id: 'reset_minus_date',
			question: 'X-RateLimit-Reset is a time. What do you subtract from it to get how long to wait?',
			askedIn: ['blacklisted'],
			options: [
				{
					text: 'The Date of the same response',
					feedback: 'Both come from the clock of the service, so the difference is right.',
					isRight: true
				},
				{
					text: 'The time of my own machine',
					feedback: 'If your clock is two hours behind, you wait two hours too long.'
				},
				{
					text: 'Nothing: it is a number of seconds',
					feedback: 'It is a time in Unix seconds, a number with ten digits.'
				}
			]
		}
	]
};
