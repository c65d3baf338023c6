import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { headerValue } from '#api/headers.ts';
import { findCheck } from '#api/logged-check.ts';
import { isResourceRequest } from '#evidence/exchanges.ts';

/** What a pill says of a check, the first that a trace has. */
const words: Readonly<Record<string, (entry: TrafficEntry) => string>> = {
	'provider.error_status': statusWord,
	'provider.limit_response': statusWord,
	'provider.token_response': ({ response }) =>
		/form/.test(valueOf(response?.headers, 'content-type') ?? '') ? 'Form' : 'Own fields',
	'provider.error_body': () => 'Own error',
	'provider.refresh_token_due': () => 'Refresh token',
	'provider.api_response': () => 'Own fields',
	'provider.revocation_response': () => 'Revocation',
	'provider.limit_fields': () => 'Own headers'
};

/** The lines of a trace that a simulated provider decided as its file says and today's standards do not: surprises of the file. */
export function surprisesIn({ trace }: Pick<TrafficEntry, 'trace'>): readonly TraceLine[] {
	return trace.filter(({ id, name }) => {
		if (!id.startsWith('provider.') || words[id] === undefined) return false;
		// A line without a surprise has the title of its check, behind the name of the provider.
		const title = findCheck(id)?.title ?? '';
		return !name.toLowerCase().endsWith(`: ${title.toLowerCase()}`);
	});
}

/** A surprise of an exchange in one or two words: `Status 200`. Undefined: it has none. */
export function surpriseWord(entry: TrafficEntry): string | undefined {
	const ids = new Set(surprisesIn(entry).map(({ id }) => id));
	return Object.entries(words).find(([id]) => ids.has(id))?.[1](entry);
}

/** The name of the simulated provider that a request was sent to, by its path. */
export function providerOf({ request }: Pick<TrafficEntry, 'request'>): string | undefined {
	return /^(?:\/~[^/]*)?\/as\/([a-z0-9-]+)\//.exec(request.target)?.[1];
}

/** The provider that a client signed in at last, by the path of its request. Undefined: it used the paths of the sandbox. */
export function providerOfLatest(entries: readonly TrafficEntry[]): string | undefined {
	const latest = entries.findLast(({ endpoint }) => endpoint === 'auth' || endpoint === 'token');
	return latest && providerOf(latest);
}

/** What a client sent after an exchange. */
export type NextRequest = {
	readonly entry: TrafficEntry;
	/** Milliseconds after it. */
	readonly later: number;
	/** What it had for an access token. Undefined: no such header. */
	readonly authorization: string | undefined;
	/** Whether it is a call that the client could not send, because the response had no token. */
	readonly tookErrorForToken: boolean;
};

/**
 * What the program that sent a request sent next.
 * @param all oldest first
 */
export function nextRequest(entry: TrafficEntry, all: readonly TrafficEntry[]): NextRequest | undefined {
	const agentOf = ({ request }: TrafficEntry) => valueOf(request.headers, 'user-agent');
	const next = all.find(
		(one) => one.seq > entry.seq && one.address === entry.address && agentOf(one) === agentOf(entry)
	);
	if (next === undefined) return undefined;
	const hasFailed = (one: TrafficEntry) => one.trace.some(({ outcome }) => outcome === 'failed');
	const status = entry.response?.status ?? 0;
	return {
		entry: next,
		later: next.at - entry.at,
		authorization: valueOf(next.request.headers, 'authorization'),
		tookErrorForToken:
			entry.endpoint === 'token' && status < 300 && hasFailed(entry) && isResourceRequest(next) && hasFailed(next)
	};
}

function statusWord({ response }: TrafficEntry): string {
	return `Status ${response?.status ?? 'none'}`;
}

function valueOf(headers: readonly (readonly [string, string])[] | undefined, name: string): string | undefined {
	return headers === undefined ? undefined : headerValue(headers.flat(), name);
}
