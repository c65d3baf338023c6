import * as v from 'valibot';

const headers = v.array(v.pipe(v.tuple([v.string(), v.string()]), v.readonly()));

/** One check of a request. */
export const traceLine = v.object({
	id: v.string(),
	name: v.string(),
	section: v.string(),
	outcome: v.picklist(['passed', 'responded', 'failed']),
	detail: v.string(),
	duration_us: v.number()
});

/** One exchange of the traffic log. Secrets are redacted. */
export const trafficEntry = v.object({
	seq: v.number(),
	id: v.string(),
	/** Milliseconds since 1970, sandbox clock. */
	at: v.number(),
	/** Milliseconds. */
	duration: v.number(),
	endpoint: v.string(),
	address: v.string(),
	client_id: v.optional(v.string()),
	username: v.optional(v.string()),
	request: v.object({ method: v.string(), target: v.string(), headers, body: v.string() }),
	/** Null where there was no response at all. */
	response: v.nullable(v.object({ status: v.number(), headers, body: v.string() })),
	trace: v.array(traceLine)
});

/** `GET traffic`, oldest first. */
export const traffic = v.object({ entries: v.array(trafficEntry) });

/** The query of `GET traffic`. */
export const trafficQuery = v.object({ after: v.optional(v.string()), limit: v.optional(v.string()) });
