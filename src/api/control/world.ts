import * as v from 'valibot';
import { declare } from '../declare.ts';
import { guide } from '../world/guide.ts';
import { kindField } from '../world/kinds.ts';
import { permissionInFile } from '../world/world-file.ts';

const uri = v.string();

/** A permission of a sandbox, with its words and the fields that it opens. */
export const permission = v.object({
	...permissionInFile.entries,
	opens: v.array(v.string()),
	of: v.picklist(['everybody', 'own'])
});

const demoClient = {
	client_id: v.string(),
	name: v.string(),
	/** A data URI, for `img` only. */
	icon: v.optional(uri),
	/** Only if the world file publishes it. */
	client_secret: v.optional(v.string())
};

/** `GET world`, for every visitor: what the pages call and show. It contains no secret that the world file does not publish. */
export const publicWorld = v.object({
	/** As `world` of the status: absent if the sandbox has the world of the server. */
	id: v.optional(v.string()),
	brand: v.object({
		name: v.string(),
		tagline: v.optional(v.string()),
		headline: v.optional(v.string()),
		intro: v.optional(v.string()),
		/** Data URIs, for `img` only. */
		logo: v.optional(v.object({ light: uri, dark: v.optional(uri) })),
		/** `#rrggbb`. */
		accent: v.optional(v.object({ light: v.string(), dark: v.string() })),
		links: v.optional(v.object({ home: v.optional(uri), support: v.optional(uri), terms: v.optional(uri) }))
	}),
	resource: v.object({
		singular: v.string(),
		plural: v.string(),
		path: v.optional(v.string()),
		/** What the viewer calls fields, by their names. */
		fields: v.optional(v.record(v.string(), v.string()))
	}),
	/** Whether the share link in the query needs a password. Absent: it needs none. */
	needs_password: v.optional(v.literal(true)),
	/** The path of the picture in previews of links, below the base URL. */
	picture: v.optional(v.string()),
	/** The areas that pages link to. Absent: all. */
	show: v.optional(v.array(v.string())),
	/** Kinds of resources beside the characters. Absent: none. */
	kinds: v.optional(
		v.array(
			v.object({
				name: v.string(),
				singular: v.string(),
				plural: v.string(),
				fields: v.record(v.string(), kindField),
				limit: v.number(),
				cost: v.object({ list: v.number(), item: v.number(), write: v.number() }),
				isWritable: v.boolean()
			})
		)
	),
	permissions: v.array(permission),
	accounts: v.array(
		v.object({
			username: v.string(),
			name: v.string(),
			email: v.optional(v.string()),
			note: v.optional(v.string()),
			/** Only if the world file publishes it. */
			password: v.optional(v.string())
		})
	),
	viewer: v.object({ ...demoClient, shows: v.array(v.string()) }),
	/** Absent if the world has no installed application. */
	companion: v.optional(v.object(demoClient)),
	/** The characters that the viewer shows, with their owners. */
	characters: v.array(v.object({ name: v.string(), player: v.string() }))
});

/** Whose world it is: that of the sandboxes of a share link, in place of this one. */
const ofShare = v.object({ share: v.optional(v.string()) });

/** The longest world file of a sandbox, as JSON in bytes. */
export const maxOwnWorld = 256 * 1024;

/** A world file. The service checks its content, and lists all mistakes at once. */
export const ownWorld = v.record(v.string(), v.unknown());

export const worldApi = declare({
	'GET /control/world': {
		id: 'readWorld',
		tag: 'Sandbox',
		access: 'everybody',
		summary: 'Read the world',
		description:
			'Returns what the world file of the server says about this sandbox: `brand`, `resource`, `show`, `permissions`, `accounts`, `viewer`, `companion`, `characters`. `id` changes with the world. It is absent where the sandbox has the world of the server. It contains no secret that the file does not publish. With `share`, it is the world of the sandboxes that a share link creates.',
		query: ofShare,
		responses: { 200: { description: 'The world.', json: publicWorld } },
		errors: { 404: 'The share link has ended.' }
	},
	'GET /control/picture': {
		id: 'readPicture',
		tag: 'Sandbox',
		access: 'everybody',
		summary: 'Read the picture',
		description:
			'Returns the picture that programs show in previews of links, as a data URI. `/picture.png` is the same as a file.',
		query: ofShare,
		responses: { 200: { description: 'The picture.', json: v.object({ picture: v.optional(uri) }) } },
		errors: { 404: 'The share link has ended.' }
	},
	'GET /control/guide': {
		id: 'readGuide',
		tag: 'Sandbox',
		access: 'everybody',
		summary: 'Read the guided demo',
		description:
			'Returns the `guide` of the world file, also to visitors. Absent: the pages show the demo of the demo world.',
		responses: { 200: { description: 'The guided demo.', json: v.object({ guide: v.optional(guide) }) } }
	},
	'GET /control/provider': {
		id: 'readProvider',
		tag: 'Sandbox',
		access: 'everybody',
		summary: 'Read the own API',
		description:
			'Returns the `provider` of the world file: how the API of its owner speaks. Absent: the world describes none.',
		responses: {
			200: { description: 'The own API.', json: v.object({ provider: v.optional(v.record(v.string(), v.unknown())) }) }
		}
	},
	'PUT /control/world': {
		id: 'replaceWorld',
		tag: 'Sandbox',
		bodyLimit: maxOwnWorld,
		summary: 'Use another world',
		description:
			'Gives this sandbox its own world, and resets it. The body is a world file of at most 256 KiB. Its images are data URIs, its secrets are texts, it has at most 10 different passwords, and `sandboxes` has no effect. A file with mistakes changes nothing. The root sandbox has the world of the server.',
		destroys: true,
		body: { schema: ownWorld, example: { format: 'tollgate-world', version: 1, brand: { name: 'Harbor Lane' } } },
		responses: { 200: { description: 'The world.', json: publicWorld } },
		errors: { 403: 'No access, or this is the root sandbox.' }
	},
	'DELETE /control/world': {
		id: 'deleteWorld',
		tag: 'Sandbox',
		summary: 'Use the world of the server',
		description: 'Gives this sandbox the world of the server again, and resets it.',
		destroys: true,
		responses: { 200: { description: 'The world.', json: publicWorld } }
	}
});

export type PublicWorld = v.InferOutput<typeof publicWorld>;
export type Permission = v.InferOutput<typeof permission>;
