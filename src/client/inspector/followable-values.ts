import type { TrafficEntry } from '#wire/control/traffic.ts';
import { bodyFormat, readParameters, splitTarget } from './message/http-message.ts';
import { splitMarkers, type MessagePart } from './split-markers.ts';

/** A value that is shown as it is and can be followed: a client_id or a redirect URI. */
export type PlainValue = {
	readonly value: string;
	/** As it occurs in messages: plain or percent-encoded. */
	readonly spellings: readonly string[];
};

/** The client_id and redirect_uri of an exchange. */
export function plainValues({ client_id, request }: TrafficEntry): PlainValue[] {
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

/**
 * Splits a redacted message at everything in it that can be followed.
 * @param plain values of the exchange
 */
export function splitFollowable(text: string, plain: readonly PlainValue[] = []): FollowablePart[] {
	const spellings = new Map(plain.flatMap(({ value, spellings }) => spellings.map((one) => [one, value] as const)));
	return splitMarkers(text).flatMap((part) => {
		if (part.label !== undefined) return [{ ...part, follows: part.label }];
		return spellings.size === 0 ? [part] : splitPlain(part.text, spellings);
	});
}

function splitPlain(text: string, spellings: ReadonlyMap<string, string>): FollowablePart[] {
	const parts: FollowablePart[] = [];
	let end = 0;
	const longestFirst = [...spellings.keys()].sort((one, other) => other.length - one.length);
	const pattern = new RegExp(longestFirst.map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
	for (const { 0: found, index } of text.matchAll(pattern)) {
		if (index > end) parts.push({ text: text.slice(end, index) });
		parts.push({ text: found, follows: spellings.get(found) ?? found });
		end = index + found.length;
	}
	if (end < text.length) parts.push({ text: text.slice(end) });
	return parts;
}
