import * as v from 'valibot';
import { declare } from '../declare.ts';
import { deleted, instant, whole } from './fields.ts';
import { preset } from './preset.ts';

/** How many share links a sandbox has at most. */
export const maxShares = 20;

/** The shortest and the longest password of a link, in characters. */
export const sharePasswordLength = { min: 8, max: 128 };

/** `POST shares`. */
export const newShare = v.strictObject({
	preset,
	days: whole(1, 30),
	/** What visitors have to know. */
	password: v.exactOptional(
		v.pipe(v.string(), v.minLength(sharePasswordLength.min), v.maxLength(sharePasswordLength.max))
	),
	/** Whether visitors can read their sandbox by the control API, but not change it. */
	locked: v.exactOptional(v.boolean())
});

/** A share link, for its sender. */
export const share = v.object({
	id: v.string(),
	/** The link. */
	url: v.string(),
	/** The page that opens, without what follows `#`. */
	path: v.string(),
	created_at: instant,
	ends_at: instant,
	/** How many sandboxes were created by it. */
	opened: v.number(),
	last_opened_at: v.nullable(instant),
	/** Whether visitors need a password. */
	has_password: v.boolean(),
	/** Whether the controls of its sandboxes are locked. */
	is_locked: v.boolean()
});

export const sharesApi = declare({
	'POST /control/shares': {
		id: 'createShare',
		tag: 'Sandbox',
		bodyLimit: 280 * 1024,
		summary: 'Create a share link',
		description:
			'Creates a link that gives each visitor a new sandbox: `{"preset","days","password","locked"}`. `start` of the preset says which page opens, and which user is signed in. With `password` a visitor needs it, and `GET /control/world` shows only the brand before. With `locked` visitors read their sandbox by the control API, and change nothing. The sandbox of the link stays as long as the link. At most 20 links.',
		body: {
			schema: newShare,
			example: { preset: { format: 'tollgate-preset', version: 1, start: { path: '/viewer' } }, days: 7 }
		},
		responses: { 201: { description: 'The link.', json: share } },
		errors: { 409: 'The sandbox has 20 links. End one first.' }
	},
	'GET /control/shares': {
		id: 'listShares',
		tag: 'Sandbox',
		summary: 'List share links',
		description: 'Lists the links of this sandbox, with how many sandboxes each has created.',
		responses: { 200: { description: 'The links.', json: v.object({ shares: v.array(share) }) } }
	},
	'DELETE /control/shares/{share_id}': {
		id: 'endShare',
		tag: 'Sandbox',
		summary: 'End a share link',
		description: 'Ends a link. Sandboxes that it has created stay.',
		destroys: true,
		responses: { 200: { description: 'It has ended.', json: deleted } },
		errors: { 404: 'This sandbox has no link with this id.' }
	}
});

export type Share = v.InferOutput<typeof share>;
