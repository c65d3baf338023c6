import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 5,
	watch:
		'Three sign-ins look alike. Ask for a table before the clock moves: sign-in, access type, which tokens came back.',
	mistakes: [
		{
			belief: 'The second response brings a new refresh token.',
			reply: 'That is rotation, which other services do. Here the first one stays valid until access is revoked.'
		},
		{ belief: 'The response repeats the same refresh token.', reply: 'The service stores a digest only, so it cannot.' }
	],
	questions: [
		{
			question: 'Your program saves each token response as it comes. What happens at the second sign-in?',
			listenFor:
				'The stored refresh token is overwritten with nothing. The nightly job fails when the access token expires.'
		},
		{
			question: 'Which of your features really need offline access?',
			listenFor: 'Those that run while the user is away. All others can ask for a sign-in.'
		}
	]
};
