import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 5,
	watch: 'Many close the tab with the character too early. They reload it at the end, after the access was revoked.',
	mistakes: [
		{
			belief: 'TLS hides the URL, so it is safe.',
			reply: 'It hides it on the way. History, server log and referrer are at the ends.'
		},
		{
			belief: 'The service rejects such a request.',
			reply: 'It allows it for callers that cannot set headers. Allowed is not recommended.'
		}
	],
	questions: [
		{
			question: 'Where would you look for leaked tokens in your own systems?',
			listenFor: 'Access logs, error trackers, analytics, chat, screenshots, browser history.'
		},
		{ question: 'A token was leaked. What do you do first?', listenFor: 'Revoke it. Copies cannot be collected.' }
	]
};
