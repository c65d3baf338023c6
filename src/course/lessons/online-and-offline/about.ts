import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Offline access',
	goal: 'Get a refresh token, see why the second sign-in returns none, and continue without the user.',
	order: 6,
	chapter: 'Tokens',
	minutes: 7,
	review: [
		{
			id: 'second_offline_sign_in',
			question: 'The token response of a second offline sign-in has no refresh token. What does the application do?',
			askedIn: ['taking-it-back', 'blacklisted'],
			options: [
				{
					text: 'Keeps the refresh token that it has',
					feedback: 'It is valid until access is revoked. The service issues it once.',
					isRight: true
				},
				{
					text: 'Stores the empty field of the new response',
					feedback: 'That deletes the only refresh token. The next refresh fails, and the user must come back.'
				},
				{
					text: 'Signs the user in until a refresh token comes',
					feedback: 'None will come while access lasts. The first one is still valid.'
				}
			]
		}
	]
};
