import type { Task } from './user-driver.svelte.ts';

/** What the user does for a task, and what the exam waits for. */
export function taskWords({ verb, url, posts, isPrivate, isOnlyPage, name }: Task): {
	readonly todo: string;
	readonly button: string;
	readonly waiting: string;
} {
	const place = isPrivate ? 'In a private window, open' : 'Open';
	const words = {
		sign_in: {
			todo:
				url === undefined
					? 'Start a sign-in in your client, sign in, and allow access.'
					: `${place} the sign-in page of your client, sign in, and allow access.`,
			button: 'Open sign-in page',
			waiting: 'Waiting for the token request.'
		},
		use: {
			todo:
				url === undefined || isOnlyPage === true
					? `Make your client read ${name ?? 'a resource'}.`
					: `${place} the page of your client that uses the token.`,
			button: isOnlyPage === true ? 'Open viewer' : 'Use the client',
			waiting: 'Waiting for a call.'
		},
		sign_out: {
			todo: 'Sign out in your client.',
			button: 'Sign out',
			waiting: 'Waiting for the revocation.'
		},
		begin: {
			todo: `${place} the sign-in page of your client again. The service holds the request: leave the page as it is.`,
			button: 'Open sign-in page',
			waiting: 'Waiting for the authorization request.'
		},
		complete: {
			todo: isPrivate
				? 'Open this link in the private window. It completes the sign-in.'
				: 'Open this link in the browser in which you began the sign-in. It completes the sign-in.',
			button: posts === true ? 'Send the form' : 'Complete the sign-in',
			waiting: 'Waiting for the token request.'
		},
		open: {
			todo: isPrivate
				? 'Open this link in the private window.'
				: posts === true
					? 'Send this form from the browser that you signed in with, as the page of an attacker does.'
					: 'Open this link in the browser that you signed in with. It is what an attacker sends to a user.',
			button: posts === true ? 'Send the form' : 'Open the link',
			waiting: 'Waiting for a token request with this code. A client that rejects the code sends none.'
		}
	} as const;
	return words[verb];
}

/** Whether a good client can show an error or do nothing, so that only the user knows when a task is over. */
export function canEndWithout({ verb }: Task): boolean {
	return verb !== 'begin';
}
