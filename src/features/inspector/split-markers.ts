import type { TrafficValue } from '#api/control/traffic.ts';
import { valueMarker } from '#api/value-marker.ts';

/** A part of a message: plain text, or a labelled value in place of a secret. */
export type MessagePart = { readonly text: string; readonly label?: string; readonly preview?: string };

/**
 * Splits a redacted message at its value markers.
 * @param text of a traffic entry: a target, a header or a body
 * @param values of the entry. A client can send text that looks like a marker: it stays text
 */
export function splitMarkers(text: string, values: readonly TrafficValue[]): MessagePart[] {
	const parts: MessagePart[] = [];
	let end = 0;
	for (const match of findMarkers(text, values)) {
		const [marker, label = '', preview = ''] = match;
		if (match.index > end) parts.push({ text: text.slice(end, match.index) });
		parts.push({ text: marker, label, preview });
		end = match.index + marker.length;
	}
	if (end < text.length) parts.push({ text: text.slice(end) });
	return parts;
}

/** The value markers in a redacted message, each with its label and its preview. */
export function findMarkers(text: string, values: readonly TrafficValue[]): RegExpExecArray[] {
	if (!text.includes('‹')) return [];
	return [...text.matchAll(valueMarker)].filter(([, label = '', preview = '']) => isMarker(values, label, preview));
}

/** Whether an exchange has a value with this label and preview. A client can send text that looks like a marker. */
export function isMarker(values: readonly TrafficValue[], label: string, preview: string): boolean {
	return values.some((value) => value.label === label && value.preview === preview);
}
