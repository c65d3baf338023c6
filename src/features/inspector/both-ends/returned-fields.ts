import type { TrafficEntry } from '#api/control/traffic.ts';
import { queryOf, readParameters, type Parameter } from '../message/http-message.ts';
import { bodyOf, locationOf, sliceText, withLabels, type MessageText } from '#evidence/message-text.ts';

/** A field of a response, for readers. */
export type ReturnedField = { readonly name: string; readonly value: string };

/** How many fields of a response are named. */
const most = 6;

/** What the response carried: the parameters of a redirect, or the fields of JSON and XML with one value. Secrets are their labels. */
export function returnedFields(entry: TrafficEntry): ReturnedField[] {
	const location = locationOf(entry);
	const fields = location === undefined ? bodyFields(bodyOf(entry, 'response')) : readParameters(queryOf(location));
	return fields
		.slice(0, most)
		.map(([name, value]) => ({ name, value: withLabels(value, ({ label, preview }) => preview || label) }));
}

function bodyFields(body: MessageText): Parameter[] {
	const found = body.text.matchAll(/"(\w+)":\s*(?:"([^"]*)"|([\d.]+|true|false))|<(\w+)>([^<]*)<\//dg);
	return [...found].map(({ indices, 1: key, 4: tag = '' }) => {
		const [start, end] = indices?.[2] ?? indices?.[3] ?? indices?.[5] ?? [0, 0];
		return [key ?? tag, sliceText(body, start, end)];
	});
}
