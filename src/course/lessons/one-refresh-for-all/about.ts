import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Sharing one refresh',
	goal: 'Send twenty requests with an access token that no longer works, and compare two ways to refresh it.',
	order: 7,
	chapter: 'Tokens',
	minutes: 5,
	isInSelection: true,
	review: [
		{
			id: 'rejected_after_refresh',
			question: 'A request gets 401, the application refreshes, and the repeated request gets 401 again. What now?',
			askedIn: ['slow-is-fast', 'no-secrets-on-a-laptop'],
			options: [
				{
					text: 'Give up and show it to the user',
					feedback: 'A new token did not help, so a third one will not either.',
					isRight: true
				},
				{
					text: 'Refresh once more',
					feedback: 'That is how a loop of refreshes begins. One refresh for a rejected request is enough.'
				},
				{
					text: 'Send the request with the old token',
					feedback: 'The old token was rejected first. It will not work again.'
				}
			]
		}
	]
};
