import * as v from 'valibot';
import type { Code, Records } from '../records.ts';

/** What a snapshot holds. Sign-in sessions and requests under way belong to browsers, guesses to addresses: they stay behind. */
export const snapshotKinds = [
	'application',
	'account',
	'grant',
	'family',
	'code',
	'access',
	'refresh',
	'window',
	'ban',
	'ticket'
] as const;
/** One of them. */
export type SnapshotKind = (typeof snapshotKinds)[number];

/** How the file says what it is. A change that an older reader would misread gets another version. */
export const format = 'tollgate-snapshot';
export const version = 1;

const text = v.pipe(v.string(), v.maxLength(2048));
const texts = v.pipe(v.array(text), v.maxLength(1000));
const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const upTo = (most: number, least = 0) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
/** Past every clock of a sandbox, and still a date, in seconds as in milliseconds. */
const furthest = 8_640_000_000_000;
const instant = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(furthest));
const entries = <T extends v.GenericSchema>(record: T) => v.array(v.tuple([text, record]));

const token = {
	client_id: text,
	username: text,
	grant: text,
	family: text,
	scopes: texts
};

const code = v.pipe(
	v.strictObject({
		client_id: text,
		redirect_uri: text,
		username: text,
		grant: text,
		scopes: texts,
		offline: v.boolean(),
		challenge: v.optional(text),
		dies: instant,
		used: v.optional(text),
		expires: instant
	}),
	v.transform((one): Code => ({ ...one, challenge: one.challenge, used: one.used }))
);

const records = v.strictObject({
	application: entries(
		v.strictObject({
			client_id: text,
			name: text,
			kind: v.picklist(['web', 'installed']),
			redirect_uris: texts,
			secret: v.strictObject({ salt: text, digest: text }),
			registered: instant
		})
	),
	account: entries(v.strictObject({ username: text, salt: text, password: text })),
	grant: entries(
		v.strictObject({
			...{ id: text, username: text, client_id: text, scopes: texts },
			...{ offline: v.boolean(), since: instant, refresh: texts }
		})
	),
	family: entries(v.strictObject({ expires: v.exactOptional(instant) })),
	code: entries(code),
	access: entries(v.strictObject({ ...token, expires: instant })),
	refresh: entries(v.strictObject(token)),
	window: entries(v.strictObject({ count: whole, refused: whole, expires: instant })),
	ban: entries(v.strictObject({ since: instant, reason: text })),
	ticket: entries(
		v.strictObject({
			...{ address: text, result: v.string(), why: v.string(), fix: v.string() },
			...{ state: v.picklist(['open', 'lifted', 'refused']), filed: instant }
		})
	)
});

/** The records of a sandbox by kind, each with its key, oldest first. */
export type SnapshotRecords = { readonly [K in SnapshotKind]: readonly (readonly [string, Records[K]])[] };

/** Everything that the checksum covers. */
export const snapshotContent = v.strictObject({
	/** The base URL that it was taken at: redirect URIs below it move with the snapshot. */
	base_url: v.pipe(text, v.regex(/^https?:\/\/[^/?#]+(?:\/[^?#]*)?$/)),
	/** Milliseconds since 1970, real clock. */
	taken: instant,
	/** How far the sandbox clock was ahead, in milliseconds. */
	offset: upTo(furthest),
	settings: v.strictObject({
		lifetimes: v.strictObject({ code: upTo(86_400, 1), access_token: upTo(31_536_000, 1) }),
		limits: v.strictObject({ character: upTo(1_000_000), ratelimits: upTo(1_000_000), abuse: upTo(1_000_000, 1) }),
		strict: v.boolean()
	}),
	records
});

/** What is in a snapshot that has been read and found whole. */
export type SnapshotContent = Omit<v.InferOutput<typeof snapshotContent>, 'records'> & {
	readonly records: SnapshotRecords;
};
