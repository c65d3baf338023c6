import * as v from 'valibot';
import { declare } from '../declare.ts';
import { isPagePath } from '../page-path.ts';
import { characterName } from '../world/world-file.ts';
import { newApplication } from './applications.ts';
import { newFault } from './faults.ts';
import { displayName, username, whole } from './fields.ts';
import { settingsChange } from './settings.ts';
import { ownWorld } from './world.ts';

/** The longest preset, as JSON in bytes, with the images of its world. */
export const maxPresetBytes = 272 * 1024;

const isUnique = (values: string[]) => new Set(values).size === values.length;

/** The state that a preset link prepares. It contains no secret. */
export const preset = v.strictObject({
	format: v.literal('tollgate-preset'),
	version: v.literal(1),
	name: v.exactOptional(displayName),
	/** A world file, whose images are data URIs. Absent: the world of the server. */
	world: v.exactOptional(ownWorld),
	settings: v.exactOptional(settingsChange),
	/** Where the visitor begins. */
	start: v.exactOptional(
		v.strictObject({
			/** The page that opens, below the base URL of the new sandbox. That of a recorded flow has the flow after `#`. */
			path: v.pipe(v.string(), v.maxLength(16_000), v.check(isPagePath, 'Use the path of a page, such as /viewer.')),
			/** The user who is signed in in the visitor's browser. */
			username: v.exactOptional(username)
		})
	),
	/** How far the clock is ahead, in seconds. */
	offset: v.exactOptional(whole(0, 100 * 366 * 24 * 60 * 60)),
	/** All accounts. Their password is `demo`. */
	accounts: v.exactOptional(
		v.pipe(
			v.array(username),
			v.maxLength(100, 'A preset can have at most 100 accounts.'),
			v.check(isUnique, 'Each account can occur once.')
		)
	),
	/** Characters besides those of the world. They have no fields, and belong to the first account. */
	characters: v.exactOptional(
		v.pipe(
			v.array(characterName),
			v.maxLength(200, 'A preset can have at most 200 characters.'),
			v.check(isUnique, 'Each character can occur once.')
		)
	),
	/** Applications besides the two of a new sandbox. `{base_url}` at the start of a redirect URI is the new sandbox. */
	applications: v.exactOptional(
		v.pipe(
			v.array(v.strictObject({ ...newApplication.entries, client_id: v.pipe(v.string(), v.regex(/^[\w-]{4,64}$/)) })),
			v.maxLength(20, 'A preset can have at most 20 applications.'),
			v.check((all) => isUnique(all.map(({ client_id }) => client_id)), 'Each client_id can occur once.')
		)
	),
	faults: v.exactOptional(v.pipe(v.array(newFault), v.maxLength(20, 'A preset can have at most 20 faults.')))
});

export const presetApi = declare({
	'GET /control/preset': {
		id: 'readPreset',
		tag: 'Sandbox',
		summary: 'Read this sandbox as a preset',
		description: 'Returns what this sandbox has and a new one does not. Contains no secret.',
		responses: { 200: { description: 'The preset.', json: preset } },
		errors: { 409: 'The sandbox has more than a preset can contain.' }
	}
});

/** A preset as it is sent, and as the schema returns it. */
export type Preset = v.InferInput<typeof preset>;
export type ReadPreset = v.InferOutput<typeof preset>;
