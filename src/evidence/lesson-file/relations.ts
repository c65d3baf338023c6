/** What an exchange can share with the one that showed an earlier condition. */
export const relations = [
	'flow',
	'client',
	'address',
	'grant',
	'family',
	'token',
	'issued',
	'scope',
	'key',
	'ticket'
] as const;
