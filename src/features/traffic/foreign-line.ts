import type { ForeignExchange } from '#evidence/har/har-reading.ts';
import { pathText } from '../inspector/strip/strip-text.ts';
import type { StripLine } from '../shell/strip-line.svelte.ts';

/** What the strip shows of an exchange of a file. It has no checks, and no neighbors in the log. */
export function lineOf({ entry, host, outcome }: ForeignExchange): StripLine {
	const path = pathText(entry);
	const status = entry.response?.status ?? null;
	return {
		id: entry.id,
		status,
		method: entry.request.method,
		path: host + path,
		shortPath: path.replace(/\/$/, '').split('/').at(-1) ?? '',
		kind: status === null ? 'no_response' : status < 400 ? 'accepted' : 'rejected',
		outcome,
		passed: undefined,
		who: ['From a file · no checks'],
		at: entry.at,
		previous: undefined,
		next: undefined,
		isFile: true
	};
}
