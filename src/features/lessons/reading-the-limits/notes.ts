import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 5,
	watch:
		'The clock of the sandbox is two hours ahead on purpose. Learners who use the clock of their own machine get a time that is far off.',
	mistakes: [
		{
			belief: 'Asking for the limits is free.',
			reply: 'It has a limit too. The headers of every response say the same, at no cost.'
		},
		{
			belief: 'The window starts again with each request.',
			reply: 'It ends at a fixed time. Compare X-RateLimit-Reset of two responses.'
		}
	],
	questions: [
		{
			question: 'Which clock do you subtract, and why?',
			listenFor: 'The Date of the same response. Clocks of clients are wrong more often than one thinks.'
		},
		{
			question: 'Two of your programs run behind one public address. What do they share?',
			listenFor: 'The whole limit, and the blacklist. Neither sees the requests of the other.'
		}
	]
};
