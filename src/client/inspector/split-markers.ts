import { valueMarker } from '#wire/value-marker.ts';

/** A part of a message: plain text, or a labelled value in place of a secret. */
export type MessagePart = { readonly text: string; readonly label?: string; readonly preview?: string };

/**
 * Splits a redacted message at its value markers.
 * @param text of a traffic entry: a target, a header or a body
 */
export function splitMarkers(text: string): MessagePart[] {
	const parts: MessagePart[] = [];
	let end = 0;
	for (const match of text.matchAll(valueMarker)) {
		const [marker, label = '', preview = ''] = match;
		if (match.index > end) parts.push({ text: text.slice(end, match.index) });
		parts.push({ text: marker, label, preview });
		end = match.index + marker.length;
	}
	if (end < text.length) parts.push({ text: text.slice(end) });
	return parts;
}
