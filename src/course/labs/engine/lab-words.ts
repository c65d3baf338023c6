/** The groups of the list of labs, in its order. */
export const labGroups = ['Sign-in', 'Redirects', 'Sessions and tokens', 'Users and limits'] as const;

/** What the page says of the ends of a lab. */
export const attackWords = {
	happened: 'The attack succeeded',
	/** What runs again. */
	attack: 'Your attack',
	/** What a defense may do with it. */
	rejected: 'Rejected',
	succeeds: 'Succeeds',
	/** What it did. */
	wasRejected: 'Attack rejected',
	succeeded: 'Attack succeeded',
	/** What a good user does. */
	userIn: 'player-two signed in',
	defended: 'Attack rejected, good user signed in'
};
