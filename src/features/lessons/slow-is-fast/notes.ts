import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 7,
	watch:
		'The window is ten seconds. Groups talk, the window ends, and nothing is rejected. Press the button twice quickly, then talk.',
	mistakes: [
		{
			belief: 'Status 400 means a malformed request.',
			reply: 'The same request worked twenty times. Read the body before you decide.'
		},
		{ belief: 'Trying again at once costs nothing.', reply: 'Each rejected request counts toward the blacklist.' }
	],
	questions: [
		{
			question: 'Forty requests, a limit of twenty in ten seconds. How long does the fastest polite client take?',
			listenFor: 'Between ten and twenty seconds: the second twenty wait for the next window.'
		},
		{
			question: 'Why should all clients not start exactly at the reset?',
			listenFor: 'They would all send at once. Spread the requests over the window.'
		}
	]
};
