import type { LessonNotes } from '../lesson.ts';

export const notes: LessonNotes = {
	discuss: 8,
	watch:
		'Make clear who is who before the link is opened: the window of the victim looks like any other. Two volunteers with one screen each work well.',
	mistakes: [
		{
			belief: 'My session at the service protects me.',
			reply: 'The link never visits the service. It goes straight to the callback page of the application.'
		},
		{
			belief: 'The service notices the other browser.',
			reply: 'It sees one request from one application. Only the application knows which browser began the sign-in.'
		}
	],
	questions: [
		{
			question: 'What harm is done if the victim only saves data?',
			listenFor: 'The data is in the account of the attacker, for example an address, a card or a search history.'
		},
		{
			question: 'Where must the second copy of the state be kept?',
			listenFor:
				'In the session of the browser that began: a cookie or its storage, never in a list that all browsers share.'
		}
	]
};
