import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Revocation',
	goal: 'Revoke access from the application and from the account, and compare it with tokens that were only deleted.',
	order: 9,
	chapter: 'Tokens',
	minutes: 9,
	review: [
		{
			id: 'sign_out_or_revoke',
			question: 'How does signing out of an application differ from revoking its access?',
			askedIn: ['reading-the-limits'],
			options: [
				{
					text: 'Signing out deletes the application’s copy of the tokens. Revoking makes every copy useless.',
					feedback: 'Only the service can make a token useless, and only a revocation tells it to.',
					isRight: true
				},
				{
					text: 'There is no difference',
					feedback: 'The service learns nothing of a sign-out that only deletes tokens. They stay valid.'
				},
				{
					text: 'Signing out ends the refresh token. Revoking ends the access token.',
					feedback: 'A revocation ends both. A sign-out alone ends neither.'
				}
			]
		}
	]
};
