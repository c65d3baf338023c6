import type { TrafficEntry } from '#api/control/traffic.ts';
import { decodePercent } from '#lib/percent.ts';
import { parameter } from '#evidence/exchanges.ts';
import type { Sender } from '../engine/exercise-service.ts';
import type { UserBrowser } from '../engine/user-browser.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import type { Lane, SeenRow } from '../../frame/seen-row.ts';

/** The lanes of the messages, from the left. */
export const lanes: readonly Lane[] = [
	{ id: 'browser', label: 'Browser', color: 'var(--party-browser)' },
	{ id: 'client', label: 'Your client', color: 'var(--party-application)' },
	{ id: 'authorization', label: 'Authorization', color: 'var(--party-authorization)' },
	{ id: 'resource', label: 'Resource', color: 'var(--party-resource)' }
];

/** A message of an exercise. */
export type SentRow = SeenRow & {
	/** Of messages that differ by their detail only: `POST token`. */
	readonly kind?: string;
	/** The line that sent it, where it is known. */
	readonly line?: number | undefined;
	/** In place of a line: `user`. */
	readonly by: string;
	/** Absent of a message that the service does not see. */
	readonly entry?: TrafficEntry;
};

/** The rejected message that is shown open: that of a finding. Where nothing failed, the first one. */
export function openRow(
	rows: readonly SentRow[],
	finding: { readonly nearMiss?: { readonly entry?: TrafficEntry } } | undefined
): SentRow | undefined {
	const errors = rows.filter(({ tone }) => tone === 'error');
	return finding === undefined ? errors[0] : errors.find(({ id }) => id === finding.nearMiss?.entry?.id);
}

/** A row as it is shown: one message, or several equal ones. */
export type FoldedRow = SentRow & { readonly first: number; readonly last: number };

/** More rows than these do not fit without scrolling. */
const unfoldedRows = 5;

/** Numbers the rows. Of many, equal ones beside each other become one, except the rejected one that is shown open. */
export function foldRows(rows: readonly SentRow[], rejected: SentRow | undefined): FoldedRow[] {
	const folded: FoldedRow[] = [];
	for (const [at, row] of rows.entries()) {
		const before = folded.at(-1);
		if (before === undefined || rows.length <= unfoldedRows || row === rejected || !isEqual(before, row, rejected)) {
			folded.push({ ...row, first: at + 1, last: at + 1 });
			continue;
		}
		const message = `${row.kind} · ${at + 2 - before.first} times`;
		folded[folded.length - 1] = { ...before, message, last: at + 1 };
	}
	return folded;
}

/** A row of one of two programs. */
export type ComparedRow = FoldedRow & { readonly of: 'own' | 'solution' };

/** What two programs sent, side by side: the first request of each, then the second. */
export function comparedRows(own: readonly SentRow[], solution: readonly SentRow[]): ComparedRow[] {
	const rowsOf = (of: ComparedRow['of'], rows: readonly SentRow[]) =>
		foldRows(
			rows.filter(({ from }) => from === 'client'),
			undefined
		).map((row) => ({
			...row,
			of,
			id: `${of} ${row.id}`,
			message: `${of === 'own' ? 'Yours' : 'Solution'} · ${row.message}`
		}));
	const [left, right] = [rowsOf('own', own), rowsOf('solution', solution)];
	return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [left[at], right[at]])
		.flat()
		.filter((row) => row !== undefined);
}

function isEqual(row: SentRow, other: SentRow, rejected: SentRow | undefined): boolean {
	const parts = ({ kind, status, outcome, line, by }: SentRow) => [kind, status, outcome, line, by].join();
	return row.id !== rejected?.id && row.kind !== undefined && parts(row) === parts(other);
}

/** The rows of a run, in the order of the log. */
export function seenRows(
	entries: readonly TrafficEntry[],
	senderOf: (entry: TrafficEntry) => Sender | undefined,
	{ arrivals, isWaiting }: Pick<UserBrowser, 'arrivals' | 'isWaiting'>
): SentRow[] {
	const rows: SentRow[] = [];
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
			arrow: 'open',
			by: 'user'
		});
	return rows;
}

function arrivalRow({ searchParams }: URL, at: number): SentRow {
	const code = searchParams.get('code');
	const error = searchParams.get('error');
	return {
		id: `arrival ${at}`,
		from: 'browser',
		to: 'client',
		message: `GET callback · ${code === null ? (error ?? 'no code') : 'code'}`,
		...(code === null ? {} : { follow: shortened(code) }),
		outcome: 'Reached your client',
		tone: 'plain',
		by: 'redirect'
	};
}

/** As much of a value as is needed to follow it. */
const shortened = (value: string) => `${value.slice(0, 5)}…`;

function rowOf(entry: TrafficEntry, sender: Sender | undefined): SentRow {
	const { kind, short } = describeOutcome(entry, 'character');
	const isOfUser = entry.endpoint === 'auth';
	const code = entry.endpoint === 'token' ? parameter(entry, 'code') : undefined;
	const sent = `${entry.request.method} ${entry.endpoint}`;
	return {
		id: entry.id,
		from: isOfUser ? 'browser' : 'client',
		to: entry.endpoint === 'character' || entry.endpoint === 'ratelimits' ? 'resource' : 'authorization',
		message: sent + detailOf(entry),
		kind: sent,
		...(code === undefined || code === '' ? {} : { follow: shortened(code) }),
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
					: parameter(entry, 'code') === undefined
						? parameter(entry, 'grant_type')
						: 'code'
				: endpoint === 'character'
					? characterIn(request.target)
					: undefined;
	return detail === undefined || detail === '' ? '' : ` · ${detail}`;
}

/** The name, as it was sent where it cannot be decoded. */
function characterIn(target: string): string {
	const sent = /\/character\/([^?]*)/.exec(target)?.[1] ?? '';
	return decodePercent(sent, false) ?? sent;
}

function decisionOf(entry: TrafficEntry): string {
	if (parameter(entry, 'username') !== undefined) return 'Sign in';
	return parameter(entry, 'decision') === 'deny' ? 'Deny' : 'Allow';
}
