import type { TrafficEntry } from '#api/control/traffic.ts';
import { locationOf } from '../exchange-error.ts';
import { readParameters, splitTarget } from '../message/http-message.ts';
import { splitMarkers } from '../values.ts';

/** A field of a response, for readers. */
export type ReturnedField = { readonly name: string; readonly value: string };

/** How many fields of a response are named. */
const most = 6;

/** What the response carried: the parameters of a redirect, or the fields of JSON and XML with one value. Secrets are their labels. */
export function returnedFields(entry: TrafficEntry): ReturnedField[] {
	const { response, values } = entry;
	if (response === null) return [];
	const location = locationOf(entry);
	const pairs =
		location === undefined
			? [...response.body.matchAll(/"(\w+)":\s*("[^"]*"|[\d.]+|true|false)|<(\w+)>([^<]*)<\//g)].map(
					([, key, json = '', tag, text = '']) =>
						[key ?? tag ?? '', key === undefined ? text : json.replaceAll('"', '')] as const
				)
			: readParameters(splitTarget(location).query);
	return pairs.slice(0, most).map(([name, value]) => ({
		name,
		value: splitMarkers(value, values)
			.map(({ text, label, preview }) => (label === undefined ? text : preview || label))
			.join('')
	}));
}
