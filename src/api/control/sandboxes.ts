import * as v from 'valibot';
import { declare } from '../declare.ts';
import { clock } from './clock.ts';
import { deleted, displayName, instant, text, whole } from './fields.ts';
import { maxPresetBytes, preset } from './preset.ts';
import { settings } from './settings.ts';
import { sharePasswordLength } from './shares.ts';

const atRootOnly = 'This request works at the root sandbox only.';

/** `GET sandbox`, for its owner. */
export const sandbox = v.object({
	id: v.string(),
	name: v.optional(v.string()),
	base_url: v.string(),
	created_at: instant,
	clock,
	settings,
	/** How many entries the traffic log keeps. */
	traffic_entries: v.number()
});

/** `PATCH sandbox`. */
export const sandboxChange = v.strictObject({ name: displayName });

/** How many entries a traffic log can keep. */
export const maxTrafficEntries = 10_000;

/** `PATCH sandboxes/<id>`, at the root. */
export const sandboxLimits = v.strictObject({ traffic_entries: whole(1, maxTrafficEntries) });

/** `POST sandboxes`: an empty body is a new sandbox with the world of the server. */
export const newSandbox = v.strictObject({
	name: v.exactOptional(displayName),
	preset: v.exactOptional(preset),
	/** The id of a share link, in place of a preset. */
	share: v.exactOptional(v.pipe(v.string(), v.maxLength(40))),
	/** The password of the share link. */
	share_password: v.exactOptional(v.pipe(v.string(), v.maxLength(sharePasswordLength.max))),
	/** `demo`: the demo world, with the brand of the server. */
	world: v.exactOptional(v.literal('demo'))
});

/** The response. The key and the secrets are shown once. */
export const createdSandbox = v.object({
	id: v.string(),
	name: v.optional(v.string()),
	base_url: v.string(),
	key: v.string(),
	/** The page that the preset or share link opens, below `base_url`. */
	start_path: v.optional(v.string()),
	/** The secrets of the applications that the preset added. */
	applications: v.array(v.object({ client_id: v.string(), name: v.string(), client_secret: v.string() }))
});

/** `POST reset`: without a body, the initial state. */
export const sandboxReset = v.strictObject({
	preset: v.exactOptional(preset),
	/** `applications`: the registered applications and their secrets stay. `traffic`: the traffic log stays. */
	keep: v.exactOptional(v.pipe(v.array(v.picklist(['applications', 'traffic'])), v.maxLength(2)))
});

export const resetSandbox = v.object({
	...sandbox.entries,
	/** The secrets of the applications that the preset added, shown once. */
	applications: createdSandbox.entries.applications
});

/** `GET sandboxes`, at the root. */
export const sandboxes = v.object({
	sandboxes: v.array(
		v.object({
			id: v.string(),
			name: v.optional(v.string()),
			base_url: v.string(),
			created_at: instant,
			last_used_at: v.nullable(instant),
			records: v.number(),
			/** How many entries its traffic log keeps. */
			traffic_entries: v.number()
		})
	),
	max: v.number()
});

/** `PUT snapshot`: what was restored. */
export const restoredSnapshot = v.object({ base_url: v.string(), clock, records: v.record(v.string(), v.number()) });

/** The endpoints of this sandbox, and of all. */
export const sandboxesApi = declare({
	'POST /control/sandboxes': {
		id: 'createSandbox',
		tag: 'Sandbox',
		access: 'everybody',
		// A preset and a name.
		bodyLimit: maxPresetBytes + 1024,
		summary: 'Create a sandbox',
		description:
			'Creates a sandbox: `{"name","preset","share","share_password","world"}`, all optional. Returns 201 with `id`, `base_url`, `key` and the secrets of the preset’s `applications`. The key and the secrets are shown once. The browser that sends the request also gets the key as a cookie. At the root only.',
		body: { schema: newSandbox, optional: true, example: { name: 'My sandbox' } },
		responses: {
			201: { description: 'The sandbox.', json: createdSandbox, headers: ['Set-Cookie'] }
		},
		errors: {
			403: 'The request was sent by a page of another site.',
			404: atRootOnly,
			409: 'The server has no room for another sandbox.',
			429: 'The address created too many sandboxes.'
		}
	},
	'GET /control/sandboxes': {
		id: 'listSandboxes',
		tag: 'Sandbox',
		summary: 'List all sandboxes',
		description:
			'Lists all sandboxes: `id`, `name`, `base_url`, `created_at`, `last_used_at`, `records`, `traffic_entries`, and the maximum as `max`. At the root only.',
		responses: { 200: { description: 'All sandboxes.', json: sandboxes } },
		errors: { 404: atRootOnly }
	},
	'PATCH /control/sandboxes/{id}': {
		id: 'limitSandbox',
		tag: 'Sandbox',
		summary: 'Set the size of a traffic log',
		description:
			'Sets how many entries the traffic log of a sandbox keeps: `{"traffic_entries"}`, 1 to 10,000. Older entries are deleted at once. `root` is the `id` of the root sandbox. At the root only.',
		body: { schema: sandboxLimits, example: { traffic_entries: 2000 } },
		responses: { 200: { description: 'The sandbox.', json: sandbox } },
		errors: { 404: 'There is no sandbox with this id, or this is not the root sandbox.' }
	},
	'DELETE /control/sandboxes/{id}': {
		id: 'deleteSandboxById',
		tag: 'Sandbox',
		summary: 'Delete any sandbox',
		description: 'Deletes a sandbox. At the root only.',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors: { 404: 'There is no sandbox with this id, or this is not the root sandbox.' }
	},
	'GET /control/sandbox': {
		id: 'showSandbox',
		tag: 'Sandbox',
		summary: 'Read this sandbox',
		description:
			'Returns `id`, `name`, `base_url`, `created_at`, `clock`, `settings` and `traffic_entries` of this sandbox.',
		responses: { 200: { description: 'The sandbox.', json: sandbox } }
	},
	'PATCH /control/sandbox': {
		id: 'renameSandbox',
		tag: 'Sandbox',
		summary: 'Rename this sandbox',
		description: 'Renames this sandbox: `{"name"}`, at most 60 characters.',
		body: { schema: sandboxChange },
		responses: { 200: { description: 'The sandbox.', json: sandbox } }
	},
	'DELETE /control/sandbox': {
		id: 'deleteSandbox',
		tag: 'Sandbox',
		summary: 'Delete this sandbox',
		description: 'Deletes this sandbox. The root sandbox can only be reset.',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors: { 403: 'No access, or this is the root sandbox, which can only be reset.' }
	},
	'POST /control/reset': {
		id: 'resetSandbox',
		tag: 'Sandbox',
		summary: 'Reset this sandbox',
		description:
			'Deletes all data and restores the demo data, the default settings and the real time. The name, the keys and the size of the log stay. All of the body is optional: `preset` prepares the sandbox, and `keep` lists what stays: `applications` with their secrets, and `traffic`, the log.',
		// A preset of 16 KiB.
		bodyLimit: 17 * 1024,
		body: { schema: sandboxReset, optional: true, example: { keep: ['applications'] } },
		destroys: true,
		responses: { 200: { description: 'The sandbox.', json: resetSandbox } }
	}
});

export type SandboxView = v.InferOutput<typeof sandbox>;
export type NewSandbox = v.InferInput<typeof newSandbox>;
export type CreatedSandbox = v.InferOutput<typeof createdSandbox>;
export type Sandboxes = v.InferOutput<typeof sandboxes>;
export type RestoredSnapshot = v.InferOutput<typeof restoredSnapshot>;

/** `POST owner-links`: a link that lets another browser control the sandbox. The key is in its fragment. */
export const ownerLink = v.object({ url: v.string() });

/** `DELETE owner-links`: how many keys were revoked. */
export const revokedOwnerLinks = v.object({ revoked: v.number() });

/** The longest key of a sandbox that a page accepts. */
export const sandboxKey = text(512);

/** Who controls the sandbox. */
export const ownerKeysApi = declare({
	'POST /control/owner': {
		id: 'becomeOwner',
		tag: 'Sandbox',
		summary: 'Control this sandbox from a browser',
		description: 'Sets the cookie that lets this browser control the sandbox. Send the key in `X-Tollgate-Key`.',
		responses: { 200: { description: 'The sandbox.', json: sandbox } }
	},
	'POST /control/owner-links': {
		id: 'createOwnerLink',
		tag: 'Sandbox',
		summary: 'Create an owner link',
		description:
			'Returns a link with a new key, as `url`. A browser that opens it controls the sandbox. The part after `#owner=` is also a key for `X-Tollgate-Key`. The latest 20 links work. A link of the root sandbox can also list and delete all other sandboxes.',
		responses: { 200: { description: 'The link. The key is in its fragment.', json: ownerLink } }
	},
	'DELETE /control/owner-links': {
		id: 'revokeOwnerLinks',
		tag: 'Sandbox',
		summary: 'Revoke all owner links',
		description:
			'Revokes all owner links, and the access of browsers that used `ADMIN_KEY`. The first key of the sandbox and the key of this request stay. Returns the number of revoked keys as `revoked`.',
		destroys: true,
		responses: { 200: { description: 'The links are revoked.', json: revokedOwnerLinks } }
	}
});

export type RevokedOwnerLinks = v.InferOutput<typeof revokedOwnerLinks>;
