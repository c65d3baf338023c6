import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 7,
	watch:
		'Expired and revoked are different: the viewer knows when a token expires, and refreshes it in time. Revoke the token, so that the requests fail.',
	mistakes: [
		{
			belief: 'Twenty refreshes do no harm.',
			reply:
				'Each one can fail alone, and the token endpoint gets twenty requests instead of one. With rotation, the second one signs the user out.'
		},
		{
			belief: 'A refresh token works once, like a code.',
			reply: 'Not here. Ask which services do that, and what a client then has to store.'
		}
	],
	questions: [
		{
			question: 'How do several servers share one refresh?',
			listenFor: 'A lock or a single owner of the token. One process is the easy case.'
		},
		{
			question: 'A request gets 401 right after the refresh. What now?',
			listenFor: 'Stop. A second refresh cannot help. Show the error, and ask for a sign-in.'
		}
	]
};
