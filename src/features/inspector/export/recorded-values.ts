import type { TrafficEntry } from '#api/control/traffic.ts';
import { bodyOf, headersOf, plainText, valuesIn, type MessageText } from '../message/message-text.ts';

/** Where the value of a label comes from when a recording is played again. */
export type ValueSource =
	/** It follows `prefix` in the response of an exchange. */
	| { readonly type: 'response'; readonly requestId: string; readonly prefix: string }
	/** The client creates it. */
	| { readonly type: 'random' }
	/** The client creates it. `challenge`: the code_challenge that was computed from it. */
	| { readonly type: 'code_verifier'; readonly challenge: string }
	/** It comes from the environment of the test. */
	| { readonly type: 'environment' };

/** The shortest text before a value that is searched for. */
const minPrefix = 6;

/**
 * Finds out where each labeled value comes from: the exchange in which it occurs first.
 * @param entries in order
 */
export function findValueSources(entries: readonly TrafficEntry[]): Map<string, ValueSource> {
	const sources = new Map<string, ValueSource>();
	for (const entry of entries) {
		for (const { label } of valuesIn(entry, '/request/'))
			if (!sources.has(label)) sources.set(label, madeByClient(label));
		const text = responseText(entry);
		for (const { start, value } of text.references)
			if (!sources.has(value.label))
				sources.set(value.label, { type: 'response', requestId: entry.id, prefix: prefixAt(text, start) });
	}
	addChallenges(entries, sources);
	return sources;
}

/** What a test searches for values: the Location header, or the body. */
export function responseText(entry: TrafficEntry): MessageText {
	if (entry.response === null) return plainText('');
	const location = headersOf(entry, 'response').find(([name]) => name.toLowerCase() === 'location');
	return location?.[1] ?? bodyOf(entry, 'response');
}

function madeByClient(label: string): ValueSource {
	return label.startsWith('state ') ? { type: 'random' } : { type: 'environment' };
}

/** A code verifier is known by the challenge of the authorization request, which is its digest. */
function addChallenges(entries: readonly TrafficEntry[], sources: Map<string, ValueSource>): void {
	for (const { values } of entries) {
		for (const { label, id } of values) {
			if (!label.startsWith('code verifier ')) continue;
			if (entries.some(({ request }) => request.target.includes(`code_challenge=${id}`)))
				sources.set(label, { type: 'code_verifier', challenge: id });
		}
	}
}

/** The shortest text before a position that occurs nowhere earlier, and contains no value. */
function prefixAt({ text, references }: MessageText, at: number): string {
	const last = Math.max(1, ...references.flatMap(({ end }) => (end <= at ? [end] : [])));
	for (let start = Math.max(0, at - minPrefix); start >= last; start--) {
		const prefix = text.slice(start, at);
		if (text.indexOf(prefix) === start) return prefix;
	}
	return text.slice(0, at);
}
