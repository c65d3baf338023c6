import * as v from 'valibot';

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

export type CharacterView = v.InferOutput<typeof character>;
