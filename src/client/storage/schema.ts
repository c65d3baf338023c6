import * as v from 'valibot';

/** Milliseconds since 1970. */
export const time = v.pipe(v.number(), v.finite());
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const texts = v.pipe(v.array(v.string()), v.readonly());
export const format = v.picklist(['json', 'xml']);
export const accessType = v.picklist(['online', 'offline']);

/** An array without its invalid items; empty if it is no array. */
export function validItems<T>(item: v.GenericSchema<unknown, T>) {
	const items = v.pipe(
		v.array(v.unknown()),
		v.transform((found) =>
			found.map((one) => v.safeParse(item, one)).flatMap((one) => (one.success ? [one.output] : []))
		)
	);
	return v.fallback(items, []);
}

export const tokenSet = v.object({
	id: v.string(),
	client_id: v.string(),
	scope: texts,
	access_type: accessType,
	access_token: v.string(),
	scheme: v.exactOptional(v.picklist(['OAuth', 'Bearer'])),
	claims: v.exactOptional(v.record(v.string(), v.string())),
	refresh_token: v.nullable(v.string()),
	expiresAt: v.nullable(time),
	lifetime: v.nullable(time),
	createdAt: time,
	refreshCount: count,
	refreshFailures: count,
	retryAt: time,
	ended: v.nullable(v.picklist(['session_expired', 'access_revoked', 'rejected_after_refresh']))
});

const user = v.object({ ...tokenSet.entries, issuer: v.string(), label: v.string() });

/** A signed-in user: the token set, and what the page calls its user. */
export type SignedInUser = Readonly<v.InferOutput<typeof user>>;

const pendingAuthorization = v.object({
	state: v.string(),
	issuer: v.string(),
	browserSession: v.string(),
	redirect_uri: v.string(),
	scope: texts,
	access_type: accessType,
	code_verifier: v.nullable(v.string()),
	nonce: v.exactOptional(v.string()),
	tokenSetId: v.nullable(v.string()),
	started: time,
	used: v.boolean()
});

const credentials = v.object({ client_id: v.string(), client_secret: v.string() });

export const settingsSchema = v.object({
	issuer: v.string(),
	credentials: v.fallback(v.nullable(credentials), null),
	/** Milliseconds to add to this machine's clock. */
	clockOffset: v.fallback(time, 0),
	throttle: v.fallback(v.boolean(), true),
	cache: v.fallback(v.boolean(), true),
	/** Polls also for users who are not active. */
	pollInactive: v.fallback(v.boolean(), false),
	/** False: any code is exchanged, also one that this browser did not ask for. For demonstrations of that attack. */
	checkState: v.fallback(v.boolean(), true),
	/** False: each call with a rejected access token refreshes it on its own. For demonstrations. */
	shareRefresh: v.fallback(v.boolean(), true),
	/** Shows the authorization response before the code is exchanged. */
	pauseAtCallback: v.fallback(v.boolean(), false),
	/** The encoding that resources are asked for. */
	format: v.fallback(format, 'json'),
	/** The encoding that the token endpoint is asked for (section 2.4). */
	tokenFormat: v.fallback(format, 'json'),
	/** How the access token is sent to a resource (section 5). */
	credential: v.fallback(v.picklist(['header', 'query']), 'header')
});

export type ServiceSettings = Readonly<v.InferOutput<typeof settingsSchema>>;

const users = validItems(user);
const pending = validItems(pendingAuthorization);
const settings = validItems(settingsSchema);

/** What all tabs share. The lists hold the data of all services. */
export type SharedData = {
	readonly users: readonly v.InferOutput<typeof user>[];
	readonly pending: readonly v.InferOutput<typeof pendingAuthorization>[];
	readonly settings: readonly v.InferOutput<typeof settingsSchema>[];
};

/** Validates stored data. Invalid items are left out. */
export const parseShared: { readonly [K in keyof SharedData]: (found: unknown) => SharedData[K] } = {
	users: (found) => v.parse(users, found),
	pending: (found) => v.parse(pending, found),
	settings: (found) => v.parse(settings, found)
};
