import type { TraceLine, TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { isValueLabel } from '#api/value-references.ts';

/** A text of an exchange, and where it contains labeled values. */
export type MessageText = {
	readonly text: string;
	/** In order, without overlaps. */
	readonly references: readonly { readonly start: number; readonly end: number; readonly value: TrafficValue }[];
};

/** A part of a text: plain text, or a labeled value of which it has the preview. */
export type MessagePart = { readonly text: string; readonly value?: TrafficValue };

/** A text without values. */
export function plainText(text: string): MessageText {
	return { text, references: [] };
}

/**
 * A text of an exchange with its values. References of a file that cannot be right are left out.
 * @param text at this place
 * @param pointer JSON Pointer of the text in the entry: `/request/target`
 */
export function textAt({ references, values }: TrafficEntry, text: string, pointer: string): MessageText {
	const own: MessageText['references'][number][] = [];
	let last = 0;
	for (const { pointer: found, start, end, value: index } of references) {
		const value = found === pointer && start >= last && end > start && end <= text.length ? values[index] : undefined;
		if (value === undefined || !isValueLabel(value.label)) continue;
		own.push({ start, end, value });
		last = end;
	}
	return { text, references: own };
}

/** The request target: path and query. */
export function targetOf(entry: TrafficEntry): MessageText {
	return textAt(entry, entry.request.target, '/request/target');
}

/** The body of a message; empty if there is no response. */
export function bodyOf(entry: TrafficEntry, message: 'request' | 'response'): MessageText {
	return textAt(entry, entry[message]?.body ?? '', `/${message}/body`);
}

/** The headers of a message. */
export function headersOf(
	entry: TrafficEntry,
	message: 'request' | 'response'
): (readonly [name: string, value: MessageText])[] {
	const headers = entry[message]?.headers ?? [];
	return headers.map(([name, value], at) => [name, textAt(entry, value, `/${message}/headers/${at}/1`)]);
}

/** What a check saw or compared; empty if there is nothing. */
export function traceText(entry: TrafficEntry, line: TraceLine, part: 'detail' | 'found' | 'expected'): MessageText {
	return textAt(entry, line[part] ?? '', `/trace/${entry.trace.indexOf(line)}/${part}`);
}

/** Where the browser is sent: by redirect, or by JSON for a page that runs as a script. */
export function locationOf(entry: TrafficEntry): MessageText | undefined {
	const header = headersOf(entry, 'response').find(([name]) => name.toLowerCase() === 'location')?.[1];
	if (header !== undefined) return header;
	const body = bodyOf(entry, 'response');
	const found = /(?<="location":\s*")[^"]+/.exec(body.text);
	return found === null ? undefined : sliceText(body, found.index, found.index + found[0].length);
}

/** The labeled values in a text, each once. */
export function valuesOf({ references }: MessageText): TrafficValue[] {
	return [...new Set(references.map(({ value }) => value))];
}

/** The labeled values in the texts whose pointers begin like this, each once. */
export function valuesIn({ references, values }: TrafficEntry, pointer: string): TrafficValue[] {
	const own = references.filter((reference) => reference.pointer.startsWith(pointer));
	return [...new Set(own.flatMap(({ value }) => values[value] ?? []))].filter(({ label }) => isValueLabel(label));
}

/** The parts of a text, in order. Together they are the text. */
export function partsOf({ text, references }: MessageText): MessagePart[] {
	const parts: MessagePart[] = [];
	let last = 0;
	for (const { start, end, value } of references) {
		if (start > last) parts.push({ text: text.slice(last, start) });
		parts.push({ text: text.slice(start, end), value });
		last = end;
	}
	if (last < text.length) parts.push({ text: text.slice(last) });
	return parts;
}

/** Joins texts and parts of texts. */
export function joinTexts(...joined: readonly (string | MessageText | MessagePart)[]): MessageText {
	let text = '';
	const references: MessageText['references'][number][] = [];
	for (const piece of joined) {
		const next = typeof piece === 'string' ? plainText(piece) : 'references' in piece ? piece : textOf(piece);
		for (const { start, end, value } of next.references)
			references.push({ start: start + text.length, end: end + text.length, value });
		text += next.text;
	}
	return { text, references };
}

function textOf({ text, value }: MessagePart): MessageText {
	return { text, references: value === undefined ? [] : [{ start: 0, end: text.length, value }] };
}

/** A part of a text, with the values that are completely in it. */
export function sliceText({ text, references }: MessageText, from: number, to = text.length): MessageText {
	const own = references.filter(({ start, end }) => start >= from && end <= to);
	return {
		text: text.slice(from, to),
		references: own.map(({ start, end, value }) => ({ start: start - from, end: end - from, value }))
	};
}

/** Splits a text at a separator. */
export function splitText(text: MessageText, separator: string): MessageText[] {
	let from = 0;
	return text.text.split(separator).map((piece) => {
		const slice = sliceText(text, from, from + piece.length);
		from += piece.length + separator.length;
		return slice;
	});
}

/** Changes everything but the values. */
export function mapPlain(text: MessageText, change: (plain: string) => string): MessageText {
	return joinTexts(...partsOf(text).map((part) => (part.value === undefined ? { text: change(part.text) } : part)));
}

/**
 * Moves the references of a text to the same text with other white space.
 * @param indented differs from `text` in white space only
 */
export function moveReferences({ text, references }: MessageText, indented: string): MessageText {
	const at = (position: number) => {
		let count = text.slice(0, position).replace(/\s/g, '').length;
		let moved = 0;
		for (; count > 0; moved++) if (!/\s/.test(indented[moved] ?? 'x')) count--;
		return moved;
	};
	return {
		text: indented,
		references: references.map(({ start, end, value }) => ({ start: at(end) - (end - start), end: at(end), value }))
	};
}

/** A text for users and for other programs: `code=‹code 3 GQVJab…›`. */
export function withLabels(text: MessageText, write: (value: TrafficValue) => string = labelText): string {
	return partsOf(text)
		.map((part) => (part.value === undefined ? part.text : write(part.value)))
		.join('');
}

/** A value as text: `‹code 3 GQVJab…›`, or `‹state 2›` for a short one. */
export function labelText({ label, preview }: TrafficValue): string {
	return preview === '' ? `‹${label}›` : `‹${label} ${preview}›`;
}
