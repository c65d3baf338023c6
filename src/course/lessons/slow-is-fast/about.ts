import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Throttling',
	goal: 'Get 40 responses through a limit of 20: first too fast, then at the right speed.',
	order: 11,
	chapter: 'Limits',
	minutes: 5,
	isInSelection: true,
	review: [
		{
			id: 'what_400_means',
			question: 'This service responds with 400. How does a program find out why?',
			askedIn: ['no-secrets-on-a-laptop'],
			options: [
				{
					text: 'From the error code in the body',
					feedback: 'A malformed request, an ended grant and the rate limit all have status 400.',
					isRight: true
				},
				{
					text: 'From the status: 400 means a malformed request',
					feedback: 'Here it can also be invalid_grant or the rate limit.'
				},
				{
					text: 'By sending the request again',
					feedback: 'If it was the limit, that request counts toward the blacklist.'
				}
			]
		}
	]
};
