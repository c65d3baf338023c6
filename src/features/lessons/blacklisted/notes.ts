import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 6,
	watch: 'Let the load test run to its end. Read two tickets aloud: would you unblock this address?',
	mistakes: [
		{
			belief: 'Another application or another user still works.',
			reply: 'The address is counted first. Nothing else is looked at.'
		},
		{
			belief: 'There is an error message.',
			reply: 'The connection closes. To the program it looks like a broken network.'
		}
	],
	questions: [
		{
			question: 'How does a program tell a blacklist from a network failure?',
			listenFor: 'Everything fails at once, and /ratelimiting still responds.'
		},
		{
			question: 'What belongs in the ticket?',
			listenFor: 'What the program did, why, and which change prevents it. Not only an apology.'
		}
	]
};
