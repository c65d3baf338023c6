import type { TrafficEntry } from '#api/control/traffic.ts';
import { parameter } from '#evidence/exchanges.ts';
import type { Sender } from '#write/exercise-service.ts';
import type { UserBrowser } from '#write/user-browser.ts';
import { describeOutcome } from '../../inspector/outcome.ts';

/** The lanes of the messages, from the left. */
export const lanes = ['browser', 'client', 'authorization', 'resource'] as const;
export type Lane = (typeof lanes)[number];

/** The color of a lane. */
export const laneColors: Readonly<Record<Lane, string>> = {
	browser: 'var(--party-browser)',
	client: 'var(--party-application)',
	authorization: 'var(--party-authorization)',
	resource: 'var(--party-resource)'
};

/** A row of what the service saw. */
export type SeenRow = {
	readonly id: string;
	readonly from: Lane;
	readonly to: Lane;
	/** `POST token · JSON body`. */
	readonly message: string;
	/** A value that can be followed. */
	readonly follow?: string;
	readonly status?: number | undefined;
	readonly outcome: string;
	readonly tone: 'plain' | 'ok' | 'error' | 'waiting';
	/** The line that sent it, where it is known. */
	readonly line?: number | undefined;
	/** In place of a line: `user`. */
	readonly by: string;
	/** Absent of a message that the service does not see. */
	readonly entry?: TrafficEntry;
};

/** The rows of a run, in the order of the log. */
export function seenRows(
	entries: readonly TrafficEntry[],
	senderOf: (entry: TrafficEntry) => Sender | undefined,
	{ arrivals, isWaiting }: Pick<UserBrowser, 'arrivals' | 'isWaiting'>
): SeenRow[] {
	const rows: SeenRow[] = [];
	let arrived = 0;
	const addArrivals = (before: number) => {
		for (let next = arrivals[arrived]; next !== undefined && next.after < before; next = arrivals[++arrived])
			rows.push(arrivalRow(next.url, arrived));
	};
	for (const entry of entries) {
		addArrivals(entry.seq);
		rows.push(rowOf(entry, senderOf(entry)));
	}
	addArrivals(Infinity);
	if (isWaiting)
		rows.push({
			id: 'waiting',
			from: 'browser',
			to: 'authorization',
			message: 'Decision of the user',
			outcome: 'Waiting for Allow or Deny',
			tone: 'waiting',
			by: 'user'
		});
	return rows;
}

function arrivalRow({ searchParams }: URL, at: number): SeenRow {
	const code = searchParams.get('code');
	const error = searchParams.get('error');
	return {
		id: `arrival ${at}`,
		from: 'browser',
		to: 'client',
		message: `GET callback · ${code === null ? (error ?? 'no code') : 'code'}`,
		...(code === null ? {} : { follow: `${code.slice(0, 5)}…` }),
		outcome: 'Reached your client',
		tone: 'plain',
		by: 'redirect'
	};
}

function rowOf(entry: TrafficEntry, sender: Sender | undefined): SeenRow {
	const { kind, short } = describeOutcome(entry, 'character');
	const isOfUser = entry.endpoint === 'auth';
	return {
		id: entry.id,
		from: isOfUser ? 'browser' : 'client',
		to: entry.endpoint === 'character' || entry.endpoint === 'ratelimits' ? 'resource' : 'authorization',
		message: `${entry.request.method} ${entry.endpoint}${detailOf(entry)}`,
		status: entry.response?.status,
		outcome: short,
		tone: kind === 'accepted' ? 'ok' : 'error',
		line: sender?.by === 'client' ? sender.line : undefined,
		by: sender?.by === 'user' ? 'user' : 'line unknown',
		entry
	};
}

function detailOf(entry: TrafficEntry): string {
	const { endpoint, request } = entry;
	const detail =
		endpoint === 'auth'
			? request.method === 'GET'
				? parameter(entry, 'client_id')
				: decisionOf(entry)
			: endpoint === 'token'
				? request.body.trimStart().startsWith('{')
					? 'JSON body'
					: parameter(entry, 'grant_type')
				: endpoint === 'character'
					? decodeURIComponent(/\/character\/([^?]*)/.exec(request.target)?.[1] ?? '')
					: undefined;
	return detail === undefined || detail === '' ? '' : ` · ${detail}`;
}

function decisionOf(entry: TrafficEntry): string {
	if (parameter(entry, 'username') !== undefined) return 'Sign in';
	return parameter(entry, 'decision') === 'deny' ? 'Deny' : 'Allow';
}
