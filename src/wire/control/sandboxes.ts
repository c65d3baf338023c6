import * as v from 'valibot';
import { newApplication } from './applications.ts';
import { clock } from './clock.ts';
import { newFault } from './faults.ts';
import { instant, text, username, whole } from './fields.ts';
import { settings, settingsChange } from './settings.ts';

const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60));

/** `GET status`, for every visitor: which sandbox this is, and whether the caller controls it. */
export const sandboxStatus = v.object({
	id: v.string(),
	name: v.optional(v.string()),
	base_url: v.string(),
	can_control: v.boolean(),
	clock,
	/** How many faults are active. */
	faults: v.number(),
	/** Whether the front page gives each visitor a sandbox. */
	sandbox_per_visitor: v.boolean(),
	/** The path of the certificate authority that the server created. Only visitors on the same machine get it. */
	ca_file: v.optional(v.string())
});

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
export const sandboxChange = v.strictObject({ name });

/** How many entries a traffic log can keep. */
export const maxTrafficEntries = 10_000;

/** `PATCH sandboxes/<id>`, at the root. */
export const sandboxLimits = v.strictObject({ traffic_entries: whole(1, maxTrafficEntries) });

/** The longest preset, as JSON in bytes. */
export const maxPresetBytes = 16 * 1024;

const isUnique = (values: string[]) => new Set(values).size === values.length;

/** The state that a preset link prepares. It contains no secret. */
export const preset = v.strictObject({
	format: v.literal('tollgate-preset'),
	version: v.literal(1),
	name: v.exactOptional(name),
	settings: v.exactOptional(settingsChange),
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

/** `POST sandboxes`: an empty body is a new sandbox with the world of the server. */
export const newSandbox = v.strictObject({
	name: v.exactOptional(name),
	preset: v.exactOptional(preset),
	/** `demo`: the demo world, with the brand of the server. */
	world: v.exactOptional(v.literal('demo'))
});

/** The response. The key and the secrets are shown once. */
export const createdSandbox = v.object({
	id: v.string(),
	name: v.optional(v.string()),
	base_url: v.string(),
	key: v.string(),
	/** The secrets of the applications that the preset added. */
	applications: v.array(v.object({ client_id: v.string(), name: v.string(), client_secret: v.string() }))
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

/** `POST owner-links`: a link that lets another browser control the sandbox. The key is in its fragment. */
export const ownerLink = v.object({ url: v.string() });

/** `DELETE owner-links`: how many keys were revoked. */
export const revokedOwnerLinks = v.object({ revoked: v.number() });

/** `PUT snapshot`: what was restored. */
export const restoredSnapshot = v.object({ base_url: v.string(), clock, records: v.record(v.string(), v.number()) });

/** The longest key of a sandbox that a page accepts. */
export const sandboxKey = text(512);

export type SandboxStatus = v.InferOutput<typeof sandboxStatus>;
export type Sandbox = v.InferOutput<typeof sandbox>;
export type SandboxLimits = v.InferOutput<typeof sandboxLimits>;
export type Preset = v.InferInput<typeof preset>;
export type NewSandbox = v.InferInput<typeof newSandbox>;
export type CreatedSandbox = v.InferOutput<typeof createdSandbox>;
export type Sandboxes = v.InferOutput<typeof sandboxes>;
export type OwnerLink = v.InferOutput<typeof ownerLink>;
export type RevokedOwnerLinks = v.InferOutput<typeof revokedOwnerLinks>;
export type RestoredSnapshot = v.InferOutput<typeof restoredSnapshot>;
