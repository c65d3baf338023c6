import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Scopes and consent',
	goal: 'Choose scopes so that the user is asked once, again, and not at all.',
	order: 3,
	chapter: 'Sign-in',
	minutes: 7,
	review: [
		{
			id: 'scope_of_the_token',
			question: 'A user has granted two permissions. The application requests one of them. What does the token cover?',
			askedIn: ['once-too-often', 'token-in-a-url'],
			options: [
				{
					text: 'Both permissions',
					feedback: 'That needs `renew_previously_granted=yes`. Without it, the token covers what was requested.'
				},
				{
					text: 'The permission that was requested',
					feedback: 'The grant does not change. Each token is as small as its request.',
					isRight: true
				},
				{
					text: 'One, and the grant of the other one ends',
					feedback: 'A smaller request takes nothing from the grant. Only a revocation does.'
				}
			]
		}
	]
};
