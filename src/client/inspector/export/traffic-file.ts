import * as v from 'valibot';
import { trafficEntry, type TrafficEntry } from '#wire/control/traffic.ts';

/** The longest file that is opened, in bytes, and the most exchanges in it. */
const maxBytes = 64 * 1024 * 1024;
const maxEntries = 10_000;

const format = 'tollgate-traffic';
const entries = v.pipe(v.array(trafficEntry), v.maxLength(maxEntries));
const trafficFile = v.object({ format: v.literal(format), version: v.literal(1), entries });
const harFile = v.object({
	log: v.object({ entries: v.pipe(v.array(v.object({ _tollgate: trafficEntry })), v.maxLength(maxEntries)) })
});

/** The exchanges as a JSON file that the inspector opens again. */
export function toTrafficFile(exported: readonly TrafficEntry[]): object {
	return { format, version: 1, entries: exported };
}

/**
 * Reads a HAR or JSON file that the inspector has exported.
 * @throws Error with a sentence for the user
 */
export function readTrafficFile(text: string): TrafficEntry[] {
	if (text.length > maxBytes) throw new Error('The file is larger than 64 MB.');
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch {
		throw new Error('The file is not JSON. Open a HAR or JSON file that the inspector has exported.');
	}
	const file = v.safeParse(trafficFile, data);
	if (file.success) return file.output.entries;
	const har = v.safeParse(harFile, data);
	if (har.success) return har.output.log.entries.map(({ _tollgate }) => _tollgate);
	throw new Error(
		'The file does not contain exchanges of Tollgate. Open a HAR or JSON file that the inspector has exported.'
	);
}
