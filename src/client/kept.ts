import * as v from 'valibot';
import { stepKinds } from './events.ts';
import { permissions } from './permissions.ts';
import type { Kept } from './shelf.ts';

const format = v.picklist(['json', 'xml']);
const accessType = v.picklist(['online', 'offline']);
const texts = v.array(v.string());
const pairs = v.array(v.tuple([v.string(), v.string()]));
const time = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const session = v.object({
	id: v.string(),
	service: v.string(),
	client_id: v.string(),
	label: v.string(),
	scope: texts,
	access_type: accessType,
	access_token: v.string(),
	expires: v.nullable(time),
	lifetime: v.nullable(time),
	refresh_token: v.nullable(v.string()),
	since: time,
	renewals: count,
	failures: count,
	retry: time,
	ended: v.nullable(v.picklist(['session_expired', 'access_revoked', 'refused_again']))
});

const flow = v.object({
	state: v.string(),
	tab: v.string(),
	service: v.string(),
	client_id: v.string(),
	redirect_uri: v.string(),
	scope: texts,
	access_type: accessType,
	verifier: v.nullable(v.string()),
	started: time,
	stage: v.picklist(['started', 'exchanging', 'done', 'failed']),
	session: v.nullable(v.string()),
	problem: v.nullable(v.tuple([v.string(), v.string()]))
});

const step = v.object({
	seq: count,
	at: time,
	kind: v.picklist(stepKinds),
	what: v.string(),
	facts: pairs,
	section: v.exactOptional(v.string()),
	session: v.exactOptional(v.string()),
	message: v.exactOptional(
		v.object({
			exchange: count,
			line: v.string(),
			headers: pairs,
			body: v.string(),
			requestId: v.exactOptional(v.string()),
			duration: v.exactOptional(time)
		})
	)
});

/** Each may be missing: another version of the page knew others. */
const switches = v.object({
	throttle: v.exactOptional(v.boolean()),
	cache: v.exactOptional(v.boolean()),
	watchAll: v.exactOptional(v.boolean()),
	format: v.exactOptional(format),
	tokenFormat: v.exactOptional(format),
	credential: v.exactOptional(v.picklist(['header', 'query']))
});

const watch = v.object({
	entries: v.array(v.object({ session: v.string(), name: v.string(), asked: time, active: time, last: v.string() })),
	away: v.nullable(v.object({ session: v.string(), acted: count }))
});

const meter = v.object({
	pattern: v.string(),
	limit: v.pipe(count, v.minValue(1)),
	remaining: count,
	reset: time,
	heard: time,
	history: v.array(v.object({ at: time, remaining: count }))
});

/** A permission that there is no box for could not be unchecked. */
const scope = v.pipe(
	texts,
	v.transform((found) => permissions.map((one) => one.scope).filter((one) => found.includes(one)))
);

const answer = v.object({
	status: count,
	format,
	text: v.string(),
	requestId: v.nullable(v.string()),
	scope: texts,
	at: time
});

const limit = v.object({
	pattern: v.string(),
	limit: time,
	remaining: time,
	// No date is further away than this.
	reset: v.pipe(time, v.minValue(-8.64e15), v.maxValue(8.64e15)),
	reset_time: v.string()
});

const silence = v.object({
	standing: v.nullable(
		v.object({ blacklisted: v.boolean(), state: v.string(), reason: v.string(), records: v.array(limit) })
	)
});

/** One damaged thing takes no other with it. */
const desk = v.object({
	tab: v.string(),
	service: v.string(),
	look: v.fallback(
		v.nullable(v.object({ session: v.string(), name: v.string(), answer: v.fallback(v.nullable(answer), null) })),
		null
	),
	wishes: v.fallback(
		v.nullable(v.object({ scope, access_type: accessType, renew: v.boolean(), pkce: v.boolean() })),
		null
	),
	limits: v.fallback(v.nullable(v.object({ records: v.array(limit), asked: time })), null)
});

/** The good ones of a list: one that is damaged takes no other with it. */
function good<T>(item: v.GenericSchema<unknown, T>) {
	const read = reader(item);
	return v.pipe(
		v.array(v.unknown()),
		v.transform((found) => found.map(read).filter((one) => one !== undefined))
	);
}

/** Values by base URL: one that is damaged takes no other with it. */
function byService<T>(value: v.GenericSchema<unknown, T>) {
	const read = reader(value);
	return v.pipe(
		v.record(v.string(), v.unknown()),
		v.transform((found) => {
			const all = Object.entries(found).map(([service, one]) => [service, read(one)] as const);
			return Object.fromEntries(all.filter((entry): entry is readonly [string, T] => entry[1] !== undefined));
		})
	);
}

function reader<T>(schema: v.GenericSchema<unknown, T>): (found: unknown) => T | undefined {
	return (found) => {
		const read = v.safeParse(schema, found);
		return read.success ? read.output : undefined;
	};
}

const readers: { readonly [K in keyof Kept]: (found: unknown) => Kept[K] | undefined } = {
	sessions: reader(good(session)),
	flows: reader(good(flow)),
	credentials: reader(byService(v.object({ client_id: v.string(), client_secret: v.string() }))),
	offsets: reader(byService(time)),
	switches: reader(byService(switches)),
	choices: reader(good(v.object({ tab: v.string(), service: v.string(), session: v.string() }))),
	desks: reader(good(desk)),
	watches: reader(byService(watch)),
	meters: reader(byService(v.array(meter))),
	silences: reader(byService(v.nullable(silence)))
};

/**
 * What a drawer holds: the steps of a tab by base URL, the damaged ones left out.
 * @param found as it came from storage
 */
export const keptSteps = reader(byService(good(step)));

/** What a shelf in a file holds, whole or not at all. */
export const keptInFile = v.object({ sessions: v.array(session), offsets: v.record(v.string(), time) });

/**
 * What a shelf has found, held against the form that this client writes: storage outlives versions of the page, and
 * anybody with the developer tools can write to it. What does not fit is left out, as if it had never been kept.
 * @param key what it was kept under
 * @param found as it came from storage
 */
export function keptOf<K extends keyof Kept>(key: K, found: unknown): Kept[K] | undefined {
	return readers[key](found);
}
