/** The ids of the lessons, which are the names of their folders, in the order of the course. Pages of seats report no others. */
export const lessonIds: readonly string[] = [
	'whole-trip',
	'one-letter-off',
	'asking-for-less',
	'uninvited-code',
	'once-too-often',
	'online-and-offline',
	'one-refresh-for-all',
	'token-in-a-url',
	'taking-it-back',
	'reading-the-limits',
	'slow-is-fast',
	'blacklisted',
	'no-secrets-on-a-laptop'
];
