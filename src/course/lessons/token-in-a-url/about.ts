import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Tokens in URLs',
	goal: 'Send a token in the query, find it where it does not belong, and make it worthless.',
	order: 8,
	chapter: 'Tokens',
	minutes: 6,
	review: [
		{
			id: 'leaked_token',
			question: 'An access token was in a URL that is now in the log of a proxy. What helps?',
			askedIn: ['slow-is-fast'],
			options: [
				{
					text: 'Deleting the line from your own log',
					feedback: 'The copies in the proxy and in the browser history stay. The token still works.'
				},
				{
					text: 'Revoking access',
					feedback: 'No copy of the token works then, wherever it is.',
					isRight: true
				},
				{
					text: 'Refreshing the token',
					feedback: 'A refresh issues another token. The leaked one stays valid until it expires.'
				}
			]
		}
	]
};
