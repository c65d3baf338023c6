/** The permissions of this service, each with what it lets an application do, in words for the consent page. */
export const scopes = new Map<string, string>([
	['character_read', 'See the name, race, class, level and guild of characters'],
	['location_read', 'See where your own characters are'],
	['inventory_read', 'See what your own characters carry'],
	['credits_read', 'See how much money your own characters have'],
	['character_write', 'Change your characters (nothing in this service needs it)']
]);
