import * as v from 'valibot';
import { clientKeys, maxRedirectUris, tokenExchange } from './applications.ts';
import { declare } from '../declare.ts';
import { limitAlgorithmNames, longestLog } from '../limit-algorithm.ts';
import { sanitizeLines, sanitizeText } from '#lib/plain-text.ts';
import { characterFields } from '../world/world-fields.ts';
import { kindInFile, recordFields } from '../world/kinds.ts';
import { kindLimits } from '../world/record-values.ts';
import { characterName, worldLimits } from '../world/world-file.ts';
import { maxTimestamp } from './clock.ts';
import { username, virtualAddress } from './fields.ts';
import { restoredSnapshot } from './sandboxes.ts';
import { snapshotSettings } from './settings.ts';
import { ownWorld, permission } from './world.ts';

/** How the file says what it is. A change that an older reader would misread gets another version. */
export const format = 'tollgate-snapshot';
export const version = 1;

const text = v.pipe(v.string(), v.maxLength(2048));
/** An id, a salt or a digest: those of the service are base64url. */
const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,128}$/, 'it is not an id or digest'));
/** An id, or the URL of a document that describes the client. */
const clientId = v.pipe(
	v.string(),
	v.regex(/^(?:[A-Za-z0-9_-]{1,128}|https?:\/\/[\x21-\x7e]{1,500})$/, 'it is not a client_id')
);
const ids = v.pipe(v.array(id), v.maxLength(1000));
/** Text for display, as the service would have sanitized it. */
const displayText = (longest: number) =>
	v.pipe(
		v.string(),
		v.minLength(1),
		v.check((text) => sanitizeText(text, longest) === text, `it is longer than ${longest}, or has invisible characters`)
	);
const lines = v.pipe(
	v.string(),
	v.check((text) => sanitizeLines(text, 4000) === text, 'it is longer than 4000, or has invisible characters')
);
const address = v.pipe(v.string(), v.regex(/^(?:[0-9a-f.:/]{1,64}|unknown)$/, 'it is not a network address'));
const windowKey = v.pipe(
	v.string(),
	v.regex(/^[a-z][a-z0-9_]* (?:[0-9a-f.:/]{1,64}|unknown)$/, 'it is not a resource and an address')
);
const scopes = v.pipe(v.array(permission.entries.scope), v.maxLength(worldLimits.permissions));
const upTo = (most: number, least = 0) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const year = 365 * 24 * 60 * 60 * 1000;
/** Valid timestamps, in milliseconds and in seconds: from 1970 to three years after the latest clock. */
const instant = v.pipe(v.number(), v.minValue(0), v.maxValue(maxTimestamp + 3 * year));
const second = v.pipe(v.number(), v.minValue(0), v.maxValue((maxTimestamp + 3 * year) / 1000));
/** The latest clock that a snapshot may have: one year after `maxTimestamp`. */
export const maxClock = maxTimestamp + year;
const entries = <K extends v.GenericSchema, T extends v.GenericSchema>(key: K, record: T) =>
	v.array(v.tuple([key, record]));

/** Where tokens work (RFC 8707). Absent: at all resources. */
const resources = v.exactOptional(v.pipe(v.array(text), v.maxLength(10), v.readonly()));

/** The thumbprint of the key that it is bound to (RFC 9449). */
const jkt = v.exactOptional(id);

/** Of a token that was exchanged: who acts, the newest first, and the application that the user gave access to (RFC 8693). */
const delegation = v.exactOptional(
	v.strictObject({ actors: v.pipe(v.array(text), v.maxLength(10), v.readonly()), granted_to: clientId })
);

const token = {
	/** The authorization request that led to it. */
	flow: v.optional(id),
	client_id: clientId,
	username,
	grant: id,
	family: id,
	scopes,
	resources,
	jkt
};

const code = v.pipe(
	v.strictObject({
		/** The authorization request that led to it. */
		flow: v.optional(id),
		client_id: clientId,
		redirect_uri: text,
		username,
		grant: id,
		scopes,
		offline: v.boolean(),
		/** The S256 challenge of RFC 7636, where one was sent. */
		challenge: v.optional(id),
		/** For the ID token: what the client sent, and when the user signed in. */
		nonce: v.exactOptional(text),
		authTime: v.exactOptional(second),
		resources,
		jkt,
		/** Milliseconds, sandbox clock: when it expires. */
		validUntil: instant,
		/** The family of its exchange; `invalidated` after an exchange that failed. */
		consumedBy: v.optional(id),
		expires: instant
	}),
	v.transform((code) => ({ ...code, challenge: code.challenge, consumedBy: code.consumedBy }))
);

/** The records by kind. Sessions and pending authorizations belong to browsers, and are not in a snapshot. */
const records = v.strictObject({
	application: entries(
		clientId,
		v.strictObject({
			client_id: clientId,
			name: displayText(80),
			kind: v.picklist(['web', 'installed']),
			redirect_uris: v.pipe(v.array(text), v.maxLength(maxRedirectUris)),
			post_logout_redirect_uris: v.exactOptional(v.pipe(v.array(text), v.maxLength(maxRedirectUris))),
			/** The public keys of its assertions. */
			jwks: v.exactOptional(clientKeys),
			/** Every token request needs a proof of a key. */
			dpop_bound_access_tokens: v.exactOptional(v.boolean()),
			/** How it exchanges tokens. Absent: `delegation`. */
			token_exchange: v.exactOptional(tokenExchange),
			/** How it authenticates, if it registered itself. */
			token_endpoint_auth_method: v.exactOptional(v.picklist(['client_secret_basic', 'client_secret_post', 'none'])),
			/** The grants that it registered. Absent: all. */
			grant_types: v.exactOptional(v.pipe(v.array(text), v.maxLength(10))),
			/** The digest of salt and secret. */
			secret: v.strictObject({ salt: id, digest: id }),
			/** Sandbox clock. */
			registered: second,
			/** Of a client that registered itself and was never used: milliseconds, sandbox clock. */
			expires: v.exactOptional(instant),
			/** The virtual address that its requests count for. */
			address: v.exactOptional(virtualAddress),
			/** Of a client that a document describes: until when the document is cached. Milliseconds, sandbox clock. */
			document_until: v.exactOptional(instant)
		})
	),
	/** The password is scrypt over the password and `salt`, in base64url. */
	account: entries(username, v.strictObject({ username, salt: id, password: id })),
	// Snapshots of earlier versions have neither.
	permission: v.exactOptional(entries(permission.entries.scope, v.strictObject(permission.entries))),
	character: v.exactOptional(
		entries(
			characterName,
			v.strictObject({
				name: characterName,
				/** The account that it belongs to. */
				player: username,
				/** In the order of responses. A field that no permission opens is public. */
				fields: characterFields
			})
		)
	),
	record_list: v.exactOptional(
		entries(
			text,
			v.pipe(
				v.strictObject({
					kind: kindInFile.entries.name,
					/** The account that the records belong to. */
					owner: username,
					/** How many there are. */
					size: upTo(kindLimits.records, 1),
					/** Oldest first. */
					items: v.pipe(v.array(v.strictObject({ id, fields: recordFields })), v.maxLength(kindLimits.records))
				}),
				v.check(({ size, items }) => size === items.length, 'the size is not the number of records')
			)
		)
	),
	grant: entries(
		text,
		v.strictObject({
			id,
			/** Absent: the application has access for itself. */
			username: v.exactOptional(username),
			client_id: clientId,
			scopes,
			offline: v.boolean(),
			/** Sandbox clock. */
			since: second,
			/** Digests of the refresh tokens issued, oldest first. */
			refresh: ids,
			/** Digests of the refresh tokens that were replaced, oldest first, so that a second use is recognized. */
			replaced: v.exactOptional(ids),
			/** When a token was last issued or used. Sandbox clock, exact to one minute. */
			last_used: v.exactOptional(second)
		})
	),
	token_family: entries(id, v.strictObject({ expires: v.exactOptional(instant) })),
	code: entries(id, code),
	/** One without `username` was issued to the application itself. */
	access_token: entries(
		id,
		v.strictObject({ ...token, username: v.exactOptional(username), delegation, expires: instant })
	),
	refresh_token: entries(
		id,
		v.strictObject({
			...token,
			/** In files of earlier versions. The list `replaced` of the grant says the same. */
			replacedBy: v.exactOptional(id),
			/** The first use of a token that may be used again: what the next token is derived from, besides this one, and when. Sandbox clock. */
			rotation: v.exactOptional(v.strictObject({ salt: id, at: instant }))
		})
	),
	rate_limit_window: entries(
		windowKey,
		v.strictObject({
			count: upTo(Number.MAX_SAFE_INTEGER / 2),
			/** Rejected requests since the last accepted one. */
			refused: upTo(Number.MAX_SAFE_INTEGER / 2),
			expires: instant,
			/** Absent: a fixed window. */
			algorithm: v.exactOptional(v.picklist(limitAlgorithmNames)),
			/** Requests of the window before, of a sliding counter. */
			previous: v.exactOptional(upTo(Number.MAX_SAFE_INTEGER / 2)),
			/** Times before `expires`, in milliseconds. */
			before: v.exactOptional(v.pipe(v.array(v.pipe(v.number(), v.minValue(0))), v.maxLength(longestLog), v.readonly()))
		})
	),
	/** `since` is of the sandbox clock. */
	blacklist_entry: entries(address, v.strictObject({ since: second, reason: displayText(200) })),
	ticket: entries(
		id,
		v.strictObject({
			address,
			result: lines,
			reason: lines,
			resolution: lines,
			state: v.picklist(['open', 'unblocked', 'rejected']),
			/** Sandbox clock. */
			created_at: second,
			/** Absent while the ticket is open. */
			expires: v.exactOptional(instant),
			/** What the owner of the sandbox replied. */
			reply: v.exactOptional(lines)
		})
	)
});

export type SnapshotKind = keyof typeof records.entries;
export const snapshotKinds = Object.keys(records.entries).filter(
	(kind): kind is SnapshotKind => kind in records.entries
);
export type SnapshotRecord<K extends SnapshotKind> = ReadonlyFields<
	NonNullable<v.InferOutput<typeof records>[K]>[number][1]
>;

type ReadonlyFields<T> = { readonly [K in keyof T]: T[K] extends (infer Item)[] ? readonly Item[] : T[K] };

/** Everything that the checksum covers. */
export const snapshotContent = v.strictObject({
	/** The base URL that it was taken at: redirect URIs below it move with the snapshot. */
	base_url: v.pipe(text, v.regex(/^https?:\/\/[^/?#]+(?:\/[^?#]*)?$/)),
	/** What the owner called the sandbox. */
	name: v.exactOptional(displayText(60)),
	/** The world file of a sandbox that has its own. */
	world: v.exactOptional(ownWorld),
	/** Milliseconds since 1970, real clock. */
	created_at: instant,
	/** How far the sandbox clock was ahead, in milliseconds. */
	offset: upTo(maxClock),
	settings: v.strictObject(snapshotSettings),
	records
});

/** The file. `content` is what `checksum` covers. */
const snapshotFile = v.object({
	format: v.literal(format),
	version: v.literal(version),
	checksum: v.string(),
	content: snapshotContent
});

export const snapshotApi = declare({
	'GET /control/snapshot': {
		id: 'exportSnapshot',
		tag: 'Sandbox',
		summary: 'Download a snapshot',
		description: 'Returns all data of the sandbox, without secrets in clear text. `PUT` restores it.',
		responses: {
			200: { description: 'The snapshot.', json: snapshotFile, headers: ['Content-Disposition'] }
		},
		errors: { 409: 'The sandbox is too large for a snapshot.' }
	},
	'PUT /control/snapshot': {
		id: 'importSnapshot',
		tag: 'Sandbox',
		bodyLimit: 4096 * 1024,
		summary: 'Restore a snapshot',
		description: 'Replaces all data of the sandbox. A damaged file changes nothing.',
		destroys: true,
		body: { schema: snapshotFile, isUnchecked: true },
		responses: { 200: { description: 'What was restored.', json: restoredSnapshot } }
	}
});

/** A snapshot file: one of an earlier version has no permissions and no characters. */
export type WrittenSnapshot = v.InferOutput<typeof snapshotContent>;
