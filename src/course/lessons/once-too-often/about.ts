import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Code replay',
	goal: 'Exchange one code twice, and see what happens to the token from the first exchange.',
	order: 5,
	chapter: 'Sign-in',
	minutes: 6,
	isInSelection: true,
	review: [
		{
			id: 'reload_of_the_callback',
			question: 'A user reloads the callback page, and the application exchanges the same code again. Who is affected?',
			askedIn: ['one-refresh-for-all', 'reading-the-limits'],
			options: [
				{
					text: 'No user, because the service rejects the second exchange',
					feedback: 'The rejection is only half of it. The tokens of the first exchange end too.'
				},
				{
					text: 'An attacker, if there is one',
					feedback: 'The service cannot tell the two apart. It ends the tokens of both.'
				},
				{
					text: 'That user, who is signed out',
					feedback: 'The tokens of the first exchange were the user’s own. They no longer work.',
					isRight: true
				}
			]
		}
	]
};
