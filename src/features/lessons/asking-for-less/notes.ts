import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 5,
	watch:
		'The order matters: the narrow token only appears after the wide grant. If the second sign-in shows a consent page, the learner used another account.',
	mistakes: [
		{
			belief: 'Permissions add up in the token.',
			reply: 'They add up in the grant. Compare the scopes of the two token responses.'
		},
		{
			belief: 'A new request replaces what was granted before.',
			reply: 'Nothing is taken away. Only a revocation does that.'
		}
	],
	questions: [
		{
			question: 'When should an application ask for a second permission?',
			listenFor: 'When the feature that needs it is used, so that the user sees why.'
		},
		{
			question: 'What does a stolen token with one scope allow, and for how long?',
			listenFor: 'That scope, for one hour, and no refresh without the refresh token.'
		}
	]
};
