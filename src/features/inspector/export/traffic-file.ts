import * as v from 'valibot';
import { trafficEntry, type TrafficEntry } from '#api/control/traffic.ts';
import { upgradeTrafficEntry } from '#api/earlier-traffic-entry.ts';

/** The longest file that is opened, in bytes, and the most exchanges in it. */
const maxBytes = 64 * 1024 * 1024;
const maxEntries = 10_000;

const format = 'tollgate-traffic';
/** Of this version, or of an earlier one. */
const storedEntry = v.union([
	trafficEntry,
	v.pipe(v.omit(trafficEntry, ['references']), v.transform(upgradeTrafficEntry))
]);
const entries = v.pipe(v.array(storedEntry), v.maxLength(maxEntries));
const trafficFile = v.object({ format: v.literal(format), version: v.picklist([1, 2]), entries });
const harFile = v.object({
	log: v.object({ entries: v.pipe(v.array(v.object({ _tollgate: storedEntry })), v.maxLength(maxEntries)) })
});
/** The responses of a HAR that a browser, a proxy or a test program recorded. */
const otherHar = v.object({
	log: v.object({
		creator: v.object({ name: v.string() }),
		entries: v.array(
			v.object({ response: v.object({ headers: v.array(v.object({ name: v.string(), value: v.string() })) }) })
		)
	})
});

/** A HAR file of which the log has no exchange. */
export class ForeignHarError extends Error {}

/** The exchanges as a JSON file that the inspector opens again. */
export function toTrafficFile(exported: readonly TrafficEntry[]): object {
	return { format, version: 2, entries: exported };
}

/**
 * Reads a HAR or JSON file that the inspector has exported. Of a HAR that another program recorded, it finds the exchanges in the
 * log by their `X-Request-Id`.
 * @param log the exchanges of the sandbox
 * @throws Error with a sentence for the user
 */
export function readTrafficFile(text: string, log: readonly TrafficEntry[]): readonly TrafficEntry[] {
	if (text.length > maxBytes) throw new Error('The file is larger than 64 MB.');
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch {
		throw new Error('The file is not JSON. Open a HAR file, or a JSON file that the inspector has exported.');
	}
	const file = v.safeParse(trafficFile, data);
	if (file.success) return file.output.entries;
	const har = v.safeParse(harFile, data);
	if (har.success) return har.output.log.entries.map(({ _tollgate }) => _tollgate);
	const other = v.safeParse(otherHar, data);
	if (other.success) return findRecorded(other.output, log);
	throw new Error(
		'The file does not contain recorded exchanges. Open a HAR file, or a JSON file that the inspector has exported.'
	);
}

function findRecorded({ log: har }: v.InferOutput<typeof otherHar>, log: readonly TrafficEntry[]): TrafficEntry[] {
	const headers = har.entries.flatMap(({ response }) => response.headers);
	const ids = new Set(headers.flatMap(({ name, value }) => (name.toLowerCase() === 'x-request-id' ? [value] : [])));
	const found = log.filter(({ id }) => ids.has(id));
	if (found.length > 0) return found;
	throw new ForeignHarError(
		`${har.creator.name} recorded this file, and the log of this sandbox has none of its requests. Open it in the sandbox that received them.`
	);
}
