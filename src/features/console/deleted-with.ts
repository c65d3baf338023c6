import type { ApplicationDetails } from '#api/control/applications.ts';

/** What is deleted with an application, one phrase each: `2 access tokens`. */
export function deletedWith(application: ApplicationDetails): string[] {
	const count = (number: number, one: string, many = `${one}s`) =>
		`${number.toLocaleString('en')} ${number === 1 ? one : many}`;
	return [
		'Its client_id and secret',
		count(application.grants, 'grant of a user', 'grants of users'),
		count(application.codes, 'authorization code'),
		count(application.access_tokens, 'access token'),
		count(application.refresh_tokens, 'refresh token')
	];
}
