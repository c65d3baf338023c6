import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 7,
	watch:
		'Four requests with one change each. Learners who change two things at once do not know which one was rejected. Ask them to restore the URI first.',
	mistakes: [
		{
			belief: 'The service returns to the registered address.',
			reply: 'It compares two strings and does not guess. An attacker would use any tolerance.'
		},
		{
			belief: 'Every error comes back to the application.',
			reply: 'Every other error does. An address that is not registered gets nothing, not even an error.'
		}
	],
	questions: [
		{
			question: 'Which parts of a URI would you compare without regard to case?',
			listenFor: 'None here. Scheme and host are case-insensitive in a URL, but the comparison is by characters.'
		},
		{
			question: 'Why may an installed application choose its port?',
			listenFor: 'The port is only free once the program runs, and localhost is the machine of the user.'
		}
	]
};
