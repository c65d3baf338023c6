/** What the reference client can do that is unusual, but right. */
export const habits = [
	'state of 200 characters',
	'state with punctuation',
	'unknown parameters',
	'no code challenge',
	'refreshes ahead of the expiry',
	'waits until the limit is over',
	'one call at a time',
	'four retries with growing pauses',
	'repeats a failed refresh',
	'short cache',
	'one cache for all users',
	'three tries of a call without a response',
	'signs in again where a sign-in is missing',
	'signs in again after a failed exchange',
	'error text in a script',
	'escaped error text',
	'escaped error text in an attribute',
	'escaped error text in a script',
	'escaped error text in a text field',
	'escaped error text in the title',
	'error text as plain text',
	'error text as JSON',
	'start of the error text',
	'revokes both tokens',
	'reads the limits before each call',
	'shows a character after the sign-in',
	'pushes its requests'
] as const;

export type Habit = (typeof habits)[number];
