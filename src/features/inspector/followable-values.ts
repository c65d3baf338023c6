import type { TrafficEntry } from '#api/control/traffic.ts';
import { bodyFormat, readParameters, splitTarget } from './message/http-message.ts';
import { splitMarkers, type MessagePart } from './split-markers.ts';

/** A value that is shown unchanged and can be followed: a client_id or a redirect URI. */
type PlainValue = {
	readonly value: string;
	/** As it occurs in messages: plain or percent-encoded. */
	readonly spellings: readonly string[];
};

/** The client_id and redirect_uri of an exchange. */
function plainValues({ client_id, request }: TrafficEntry): PlainValue[] {
	const form = bodyFormat(request.headers) === 'form' ? readParameters(request.body) : [];
	const sent = [...readParameters(splitTarget(request.target).query), ...form]
		.filter(([name, value]) => /^(?:client_id|redirect_uri)$/.test(name) && /^[^‹›]{4,}$/.test(value))
		.map(([, value]) => value);
	const values = new Set(client_id === undefined ? sent : [client_id, ...sent]);
	return [...values].map((value) => ({
		value,
		spellings: [...new Set([value, encodeURIComponent(value), new URLSearchParams({ a: value }).toString().slice(2)])]
	}));
}

/** A part of a message. `follows`: what is followed while it has the pointer or the focus. */
export type FollowablePart = MessagePart & { readonly follows?: string };

type Followable = { readonly spellings: ReadonlyMap<string, string>; readonly pattern: RegExp };

const known = new WeakMap<TrafficEntry, Followable | undefined>();

/**
 * Splits a text of an exchange at everything in it that can be followed.
 * @param text redacted
 * @param entry the exchange, if it is known
 */
export function splitFollowable(text: string, entry: TrafficEntry | undefined): FollowablePart[] {
	if (entry === undefined) return [{ text }];
	const followable = known.has(entry) ? known.get(entry) : toFollowable(entry);
	known.set(entry, followable);
	return splitMarkers(text, entry.values).flatMap((part) => {
		if (part.label !== undefined) return [{ ...part, follows: part.label }];
		return followable === undefined ? [part] : splitPlain(part.text, followable);
	});
}

function toFollowable(entry: TrafficEntry): Followable | undefined {
	const spellings = new Map(
		plainValues(entry).flatMap(({ value, spellings }) => spellings.map((one) => [one, value] as const))
	);
	if (spellings.size === 0) return undefined;
	const longestFirst = [...spellings.keys()].sort((one, other) => other.length - one.length);
	const alternatives = longestFirst.map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
	return { spellings, pattern: new RegExp(alternatives.join('|'), 'g') };
}

function splitPlain(text: string, { spellings, pattern }: Followable): FollowablePart[] {
	const parts: FollowablePart[] = [];
	let end = 0;
	for (const { 0: found, index } of text.matchAll(pattern)) {
		if (index > end) parts.push({ text: text.slice(end, index) });
		parts.push({ text: found, follows: spellings.get(found) ?? found });
		end = index + found.length;
	}
	if (end < text.length) parts.push({ text: text.slice(end) });
	return parts;
}
