import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Redirect URI matching',
	goal: 'Send redirect URIs that are almost right, and see which ones the service rejects.',
	order: 2,
	chapter: 'Sign-in',
	minutes: 7,
	isInSelection: true,
	review: [
		{
			id: 'wrong_redirect_uri',
			question: 'A request has a redirect URI that is not registered. Where does the service report the error?',
			askedIn: ['uninvited-code', 'one-refresh-for-all'],
			options: [
				{
					text: 'In a redirect to that URI, with error=invalid_request',
					feedback: 'That URI may belong to an attacker. The service sends no browser there.'
				},
				{
					text: 'On a separate page',
					feedback: 'The browser stays at the service. The address gets no code and no error.',
					isRight: true
				},
				{
					text: 'In a redirect to the registered URI',
					feedback: 'The service corrects nothing. A request with a wrong URI ends at the service.'
				}
			]
		}
	]
};
