import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 5,
	watch:
		'Nothing listens at the port, so the browser shows an error page. Say so beforehand: the code is in the address bar. After the first theft, ask what the service could have noticed.',
	mistakes: [
		{
			belief: 'The secret protects the installed application.',
			reply: 'It is in every download. One copy is enough to read it.'
		},
		{ belief: 'The port is the secret.', reply: 'Anyone who sees the request sees the port.' }
	],
	questions: [
		{
			question: 'What does PKCE prove, and what does it not prove?',
			listenFor: 'That the program that exchanges the code also began the sign-in. Not which program it is.'
		},
		{
			question: 'Should web applications with a secret use PKCE as well?',
			listenFor: 'Yes. It also protects against a code that is injected into another session.'
		}
	]
};
