import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 5,
	watch:
		'The longest lesson, with three parties. At each request, ask who sends it: the application, the thief or the user.',
	mistakes: [
		{
			belief: 'Signing out ends the access.',
			reply: 'Only if the application tells the service. Deleting a token removes one copy of it.'
		},
		{
			belief: 'The access ends when the access token expires.',
			reply: 'Only the access token does. The refresh token in the backup gets the next one.'
		}
	],
	questions: [
		{
			question: 'Your application gets invalid_grant at night. What should it do?',
			listenFor: 'Delete the token, stop, and tell the user at the next visit. No retry.'
		},
		{
			question: 'Who can revoke access, and from where?',
			listenFor: 'The application at sign-out, and the user in the account, without the application.'
		}
	]
};
