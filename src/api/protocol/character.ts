import * as v from 'valibot';
import { declare } from '../declare.ts';
import { limitHeaders, tokenErrors } from './rate-limits.ts';

/** `GET /ws/v2.0/character/<name>`. The optional fields need a permission, and the character must belong to the user. */
export const character = v.object({
	name: v.string(),
	race: v.string(),
	class: v.string(),
	level: v.pipe(v.number(), v.integer()),
	guild: v.string(),
	location: v.optional(v.object({ region: v.string(), place: v.string() })),
	inventory: v.optional(v.array(v.string())),
	credits: v.optional(v.pipe(v.number(), v.integer())),
	/** A long text. Only the test card `Test Long` has one. */
	biography: v.optional(v.string())
});

export const characterEndpoints = declare({
	'GET /ws/v2.0/character/{+character_name}': {
		id: 'character',
		tag: 'Resources',
		access: 'access token',
		summary: 'Read a character',
		description: 'Needs `character_read`. Fields that another permission opens need that permission.',
		responses: { 200: { description: 'The character.', json: character, xml: 'character', headers: limitHeaders } },
		errors: {
			...tokenErrors,
			403: 'The access token does not have the scope `character_read`.',
			404: 'No character has this name.'
		}
	}
});
