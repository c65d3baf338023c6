import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { findMarkers } from '../values.ts';

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
 * Finds out where each labelled value comes from: the exchange in which it occurs first.
 * @param entries in order
 */
export function findValueSources(entries: readonly TrafficEntry[]): Map<string, ValueSource> {
	const sources = new Map<string, ValueSource>();
	for (const entry of entries) {
		for (const label of labelsIn(requestText(entry), entry.values))
			if (!sources.has(label)) sources.set(label, madeByClient(entry, label));
		const text = responseText(entry);
		for (const match of findMarkers(text, entry.values)) {
			const [, label = ''] = match;
			if (!sources.has(label))
				sources.set(label, { type: 'response', requestId: entry.id, prefix: prefixAt(text, match.index) });
		}
	}
	addChallenges(entries, sources);
	return sources;
}

/** What a test searches for values: the Location header, or the body. */
export function responseText({ response }: TrafficEntry): string {
	if (response === null) return '';
	return response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? response.body;
}

function requestText({ request }: TrafficEntry): string {
	return [request.target, ...request.headers.map(([, value]) => value), request.body].join('\n');
}

function labelsIn(text: string, values: readonly TrafficValue[]): string[] {
	return findMarkers(text, values).map(([, label = '']) => label);
}

function madeByClient(_entry: TrafficEntry, label: string): ValueSource {
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

/** The shortest text before a position that occurs nowhere earlier. */
function prefixAt(text: string, at: number): string {
	for (let start = Math.max(0, at - minPrefix); start > 0; start--) {
		const prefix = text.slice(start, at);
		if (text.indexOf(prefix) === start && !prefix.includes('›')) return prefix;
	}
	return text.slice(0, at);
}
