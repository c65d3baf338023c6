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
	'no refresh for a minute after a failed one',
	'retries with full jitter',
	'retries with equal jitter',
	'retries with decorrelated jitter',
	'refreshes with full jitter',
	'short cache',
	'one cache for all users',
	'three tries of a call without a response',
	'signs in again where a sign-in is missing',
	'signs in again after a failed exchange',
	'error text in a script',
	'revokes both tokens',
	'reads the limits before each call',
	'shows a character after the sign-in'
] as const;

export type Habit = (typeof habits)[number];
