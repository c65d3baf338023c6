import { decodePercent } from '#lib/percent.ts';
import type { HeldParameter } from '#api/control/pause.ts';
import { redactToken } from '#api/redact.ts';

/** Names of parameters whose value its reader must not learn. A code and a state are shown: they are what a learner looks at. */
const secretName = /secret|password|refresh_token|access_token|authorization|csrf|interaction|cookie/i;

/** New values by parameter; null removes one. */
export type Changes = Readonly<Record<string, string | null>>;

/**
 * The parameters of a query or a form body, in the order sent.
 * @param pairs encoded, without the `?`
 */
export function parametersOf(pairs: string): HeldParameter[] {
	return splitPairs(pairs).map(([name, value]) => shownParameter(name, value));
}

/** A parameter as the owner of the sandbox sees it. */
export function shownParameter(name: string, value: string): HeldParameter {
	const is_secret = secretName.test(name);
	return { name, value: is_secret ? redactToken(value) : value, is_secret };
}

/**
 * Changes parameters of a query or a form body. All others stay exactly as sent.
 * @param pairs encoded, without the `?`
 */
export function changePairs(pairs: string, changes: Changes): string {
	const changed = new Map(Object.entries(changes));
	if (changed.size === 0) return pairs;
	const left = new Map(changed);
	const kept = pairs.split('&').flatMap((pair) => {
		const name = decodedName(pair);
		const value = changed.get(name);
		if (pair === '' || value === undefined) return pair === '' ? [] : [pair];
		left.delete(name);
		return value === null ? [] : [encodePair(name, value)];
	});
	const added = [...left].flatMap(([name, value]) => (value === null ? [] : [encodePair(name, value)]));
	return [...kept, ...added].join('&');
}

/** Changes parameters of the query of a URL. */
export function changeQuery(url: string, changes: Changes): string {
	const [, before = url, query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
	const changed = changePairs(query, changes);
	return `${before}${changed === '' ? '' : `?${changed}`}${fragment}`;
}

function splitPairs(pairs: string): [name: string, value: string][] {
	return pairs.split('&').flatMap((pair): [string, string][] => {
		if (pair === '') return [];
		const equals = pair.indexOf('=');
		const raw = equals < 0 ? '' : pair.slice(equals + 1);
		return [[decodedName(pair), decodePercent(raw, true) ?? raw]];
	});
}

function decodedName(pair: string): string {
	const equals = pair.indexOf('=');
	const raw = equals < 0 ? pair : pair.slice(0, equals);
	return decodePercent(raw, true) ?? raw;
}

function encodePair(name: string, value: string): string {
	return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}
