/** A scope that the demo clients can request. The UI calls it a permission. */
export type ScopeInfo = {
	/** `character_read` */
	readonly name: string;
	readonly title: string;
	/** What the app does with it. */
	readonly description: string;
	/** The fields of a character that need it. */
	readonly fields: readonly string[];
};

/** The scopes of the demo data, the least sensitive first. */
export const scopes: readonly ScopeInfo[] = [
	{
		name: 'character_read',
		title: 'Read characters',
		description: 'Name, race, class, level and guild. Required to look up any character.',
		fields: ['race', 'class', 'level', 'guild']
	},
	{
		name: 'location_read',
		title: 'View location',
		description: 'Shows your characters’ current location.',
		fields: ['location']
	},
	{
		name: 'inventory_read',
		title: 'View inventory',
		description: 'Lists what your characters carry.',
		fields: ['inventory']
	},
	{
		name: 'credits_read',
		title: 'View credits',
		description: 'Shows how many credits your characters have.',
		fields: ['credits']
	},
	{
		name: 'character_write',
		title: 'Change your characters',
		description: 'Not used here. Request it to see how a broad scope looks on the consent screen.',
		fields: []
	}
];
