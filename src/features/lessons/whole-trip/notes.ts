import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 7,
	watch:
		'The requests are done before anyone has read an arrow. Before the question at the end, ask for the message that carries the token.',
	mistakes: [
		{
			belief: 'The application signs in with the password of the user.',
			reply: 'The password field is on a page of the service. Show the address bar at that moment.'
		},
		{
			belief: 'The token comes back through the browser.',
			reply:
				'It did in the implicit flow, which many tutorials still show. Here the redirect carries a code, and the token is in a response that the browser never sees.'
		}
	],
	questions: [
		{
			question: 'Who sees the code, who sees the token, and who sees the password?',
			listenFor:
				'Browser and application see the code. Only application and service see the token. Only browser and service see the password.'
		},
		{
			question: 'Why does the exchange need a secret if the code is already short-lived?',
			listenFor: 'The code passes through the browser, its history and logs. The secret does not.'
		}
	]
};
