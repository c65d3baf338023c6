/** A permission that the application can ask for, and what it is for. */
export type Permission = {
	readonly scope: string;
	readonly title: string;
	/** What the application does with it, in a sentence a person can agree or disagree with. */
	readonly purpose: string;
	/** The fields of a character that it opens; empty where nothing here needs it. */
	readonly fields: readonly string[];
};

/** All permissions of the demo world, the most harmless first. */
export const permissions: readonly Permission[] = [
	{
		scope: 'character_read',
		title: 'Read characters',
		purpose: 'Shows name, race, class, level and guild. Without it no character is shown at all.',
		fields: ['race', 'class', 'level', 'guild']
	},
	{
		scope: 'location_read',
		title: 'See where they are',
		purpose: 'Shows the place your own characters stand in right now.',
		fields: ['location']
	},
	{
		scope: 'inventory_read',
		title: 'Look into their bags',
		purpose: 'Lists what your own characters carry.',
		fields: ['inventory']
	},
	{
		scope: 'credits_read',
		title: 'Count their credits',
		purpose: 'Shows the money your own characters have.',
		fields: ['credits']
	},
	{
		scope: 'character_write',
		title: 'Change your characters',
		purpose: 'Nothing on this page needs it. Ask for it to see how a wide request looks to the person who must agree.',
		fields: []
	}
];
