import { countText } from '#lib/count-text.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { decodePercent } from '#lib/percent.ts';
import type { BarrierState } from '#ui/flow/barrier.svelte.ts';
import type { StripLine } from '../../shell/strip-line.svelte.ts';
import type { Inspector } from '../inspector.svelte.ts';
import { splitTarget } from '../message/http-message.ts';
import { describeOutcome, type ExchangeOutcome } from '#evidence/describe-exchange.ts';

/** The path of a request without its sandbox, as it is read: `/ws/v2.0/character/Mara Vell`. */
export function pathText({ request }: TrafficEntry): string {
	const path = splitTarget(request.target).path.replace(/^\/~[^/]+/, '');
	return decodePercent(path, false) ?? path;
}

/**
 * What the strip shows of an exchange.
 * @param resource what the world calls its resource: `character`
 */
export function stripLine(
	{ entries, nameOf }: Pick<Inspector, 'entries' | 'nameOf'>,
	entry: TrafficEntry,
	resource: string
): StripLine {
	const { kind, text } = describeOutcome(entry, resource);
	const path = pathText(entry);
	const at = entries.indexOf(entry);
	return {
		id: entry.id,
		status: entry.response?.status ?? null,
		method: entry.request.method,
		path,
		shortPath: path.replace(/\/$/, '').split('/').at(-1) ?? '',
		kind,
		outcome: text,
		passed: kind === 'accepted' ? `${countText(entry.trace.length, 'check')} passed` : undefined,
		who: [entry.client_id === undefined ? undefined : nameOf(entry.client_id), entry.username].filter(
			(name) => name !== undefined
		),
		at: entry.at,
		previous: entries[at - 1]?.id,
		next: at < 0 ? undefined : entries[at + 1]?.id
	};
}

/** How long after tokens were issued a client automatically reads its state, in milliseconds. */
const readAfterTokens = 5_000;
/** What clients read automatically after a sign-in. */
const background: readonly string[] = ['ratelimits', 'userinfo', 'jwks'];

/** Whether a page of a visitor without the key sent it. The user did nothing wrong. */
function isOfOthers({ endpoint, trace }: TrafficEntry): boolean {
	return endpoint === 'control' && trace.at(-1)?.cause === 'key_missing';
}

/**
 * The exchange that the strip shows: the newest one, but not a control request of others, or what a client read automatically right
 * after its tokens were issued. The sign-in is what the user did.
 * @param all oldest first
 */
export function newestOfUser(all: readonly TrafficEntry[]): TrafficEntry | undefined {
	const entries = all.slice(0, all.findLastIndex((entry) => !isOfOthers(entry)) + 1);
	const newest = entries.at(-1);
	const last = entries.findLast(({ endpoint }) => !background.includes(endpoint));
	if (newest?.response?.status !== 200 || last === undefined || newest.at - last.at > readAfterTokens) return newest;
	return last.credentials.some(({ type }) => type === 'issued') ? last : newest;
}

/** How the barrier is after a request. */
export function barrierOf(outcome: ExchangeOutcome | undefined): BarrierState {
	if (outcome === undefined) return 'idle';
	if (outcome.kind === 'no_response') return 'broken';
	return outcome.kind === 'accepted' ? 'open' : 'closed';
}
