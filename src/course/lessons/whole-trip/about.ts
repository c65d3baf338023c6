import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Authorization code flow',
	goal: 'Follow one sign-in from the permission to the data, with both ends of every message.',
	order: 1,
	chapter: 'Sign-in',
	minutes: 4,
	isInSelection: true,
	review: [
		{
			id: 'who_sees_the_token',
			question: 'Who sees the access token in the web server flow?',
			askedIn: ['asking-for-less', 'online-and-offline'],
			options: [
				{
					text: 'Only the application and the service',
					feedback: 'The token comes in the response to the application’s own request.',
					isRight: true
				},
				{ text: 'Only the browser', feedback: 'The browser carries the code. It never gets the token.' },
				{
					text: 'Both the application and the browser',
					feedback: 'That was the implicit flow. Here the browser carries the code only.'
				}
			]
		}
	]
};
