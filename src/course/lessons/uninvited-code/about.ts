import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'State and login CSRF',
	goal: 'Sign a victim in to your own account, then stop the attack with one comparison.',
	otherTab: 'Browser of the victim',
	order: 4,
	chapter: 'Sign-in',
	minutes: 7,
	isInSelection: true,
	review: [
		{
			id: 'where_the_state_is_kept',
			question: 'An application compares two states at its callback. Where is each of them?',
			askedIn: ['online-and-offline', 'taking-it-back'],
			options: [
				{
					text: 'One in the URL of the callback, one in the session of this browser',
					feedback: 'A link from an attacker can set the first one only.',
					isRight: true
				},
				{
					text: 'One in the URL of the callback, one at the service',
					feedback: 'The service returns what it was sent. It does not know which browser asked.'
				},
				{
					text: 'Both in the URL of the callback',
					feedback: 'Then an attacker writes both, and they are equal.'
				}
			]
		}
	]
};
