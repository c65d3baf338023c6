import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 7,
	watch:
		'A learner who signs in again between the two exchanges sends a new code, and nothing is rejected. The request must be repeated unchanged.',
	mistakes: [
		{
			belief: 'Only the second exchange is affected.',
			reply: 'Send the first token again. The service cannot tell which of the two was honest, so it ends both.'
		},
		{
			belief: 'An access token cannot be recalled.',
			reply:
				'This service checks at each request. Others use tokens that stay valid until they expire, so lifetimes differ.'
		}
	],
	questions: [
		{
			question: 'How can an honest application send a code twice?',
			listenFor: 'A user reloads the callback page, a proxy repeats a request, or two tabs open the same link.'
		},
		{
			question: 'What does a callback page do that is safe to reload?',
			listenFor: 'It exchanges the code once and then redirects to an address without it.'
		}
	]
};
