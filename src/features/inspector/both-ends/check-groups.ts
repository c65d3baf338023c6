import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { findCheck } from '#api/logged-check.ts';
import { decodePercent } from '#lib/percent.ts';
import { bodyFormat, type Parameter, queryOf, readParameters, splitTarget } from '../message/http-message.ts';
import {
	bodyOf,
	headersOf,
	locationOf,
	type MessageText,
	plainText,
	sliceText,
	targetOf,
	withLabels
} from '#evidence/message-text.ts';

/** Checks that ran one after the other and read the same parts of the request. */
export type CheckGroup = {
	readonly key: string;
	/** `start`: of the connection and the form, before any part was read. `response`: the check that responded. */
	readonly kind: 'start' | 'checks' | 'response';
	/** The parts that they read. */
	readonly parts: readonly SentPart[];
	readonly lines: readonly TraceLine[];
	readonly isFailed: boolean;
};

/** Both ends of an exchange: what the client sent, and what the service checked. */
export type BothEnds = {
	/** In the order in which they were sent. */
	readonly parts: readonly SentPart[];
	/** In the order in which they ran. */
	readonly groups: readonly CheckGroup[];
	readonly passed: number;
	readonly failed: number;
};

/** Reads both ends of an exchange. */
export function readBothEnds(entry: TrafficEntry): BothEnds {
	const parts = sentParts(entry);
	const groups: CheckGroup[] = [];
	for (const line of entry.trace) {
		const names: readonly string[] = readsOf(line);
		const own = parts.filter(({ name }) => names.includes(name));
		const isFailed = line.outcome === 'failed';
		const isStart = own.length === 0 && line.outcome === 'passed' && groups.every(({ kind }) => kind === 'start');
		const kind = line.outcome === 'responded' ? 'response' : isStart ? 'start' : 'checks';
		const last = groups.at(-1);
		const joins =
			last?.kind === kind && !isFailed && !last.isFailed && (isStart || (own.length > 0 && isSame(own, last.parts)));
		if (joins) groups[groups.length - 1] = { ...last, lines: [...last.lines, line] };
		else groups.push({ key: line.id, kind, parts: own, lines: [line], isFailed });
	}
	const failed = entry.trace.filter(({ outcome }) => outcome === 'failed').length;
	return { parts, groups, failed, passed: entry.trace.length - failed };
}

/**
 * How many checks did not run because one before them failed, as the newest exchange of the same kind that got further shows.
 * @param entries the log
 * @returns 0 where the log has no such exchange
 */
export function countNotRun(entry: TrafficEntry, entries: readonly TrafficEntry[]): number {
	const failed = entry.trace.find(({ outcome }) => outcome === 'failed');
	if (failed === undefined) return 0;
	const further = entries.findLast(
		({ endpoint, trace }) =>
			endpoint === entry.endpoint &&
			trace.at(-1)?.outcome === 'responded' &&
			trace.some(({ id, outcome }) => id === failed.id && outcome === 'passed')
	);
	const at = further?.trace.findIndex(({ id }) => id === failed.id) ?? -1;
	return further === undefined ? 0 : further.trace.length - at - 1;
}

function isSame(parts: readonly SentPart[], others: readonly SentPart[]): boolean {
	return parts.length === others.length && parts.every(({ id }, index) => id === others[index]?.id);
}

/** A part of a request that checks can read. */
export type SentPart = {
	/** Unique in its request. */
	readonly id: string;
	readonly name: string;
	/** For readers: a secret is its label or its first characters. */
	readonly value: string;
	/** False for one that a check missed. */
	readonly isSent: boolean;
};

/** Headers that are part of every form, or of every page. They are shown if a check rejected the request because of them. */
const usual = new Set<string>(['Content-Type', 'Cookie', 'Origin']);
/** These are in the request line, above the parts. */
const inRequestLine = new Set<string>(['method', 'path', 'address']);

/** The parts of a request that its checks read or could read: the name in the path, the query, headers, and the form, as they were sent. */
function sentParts(entry: TrafficEntry): SentPart[] {
	const { request, trace } = entry;
	const { path } = splitTarget(request.target);
	const read = (name: string, value: MessageText): Omit<SentPart, 'id'> => ({
		name,
		value: withLabels(value, ({ label, preview }) => preview || label),
		isSent: true
	});
	const headers = [...new Set(trace.flatMap(readsOf))].flatMap((name) => {
		const value =
			/^[A-Z]/.test(name) && isShown(name, trace)
				? headersOf(entry, 'request').find(([sent]) => sent.toLowerCase() === name.toLowerCase())?.[1]
				: undefined;
		return value === undefined ? [] : [read(name, value)];
	});
	const form = bodyFormat(request.headers) === 'form' ? readParameters(bodyOf(entry, 'request')) : [];
	const name = trace.some((line) => readsOf(line).includes('name')) ? lastSegment(path) : [];
	const sent = [
		...name.map((value) => read('name', plainText(value))),
		...readParameters(queryOf(targetOf(entry))).map(([name, value]) => read(name, value)),
		...headers,
		...form.map(([name, value]) => read(name, value))
	];
	return [...sent, ...missingParts(trace, sent)].map((part, index) => ({ ...part, id: `${index} ${part.name}` }));
}

/** The parts that a check reads. */
function readsOf({ id }: TraceLine): readonly string[] {
	return findCheck(id)?.reads ?? [];
}

/** What the failed check looked for in vain. */
function missingParts(trace: readonly TraceLine[], sent: readonly Omit<SentPart, 'id'>[]): Omit<SentPart, 'id'>[] {
	const failed = trace.find(({ outcome }) => outcome === 'failed');
	const reads = failed === undefined ? [] : readsOf(failed).filter((name) => !inRequestLine.has(name));
	if (sent.some(({ name }) => reads.some((one) => one === name))) return [];
	return reads.slice(0, 1).map((name) => ({ name, value: 'not sent', isSent: false }));
}

function isShown(name: string, trace: readonly TraceLine[]): boolean {
	if (!usual.has(name)) return true;
	return trace.some((line) => line.outcome === 'failed' && readsOf(line).some((one) => one === name));
}

function lastSegment(path: string): string[] {
	const segment = path.replace(/\/$/, '').split('/').at(-1) ?? '';
	return [decodePercent(segment, false) ?? segment];
}

/** A line from a part of the request to checks that read it. */
export type Link = { readonly part: string; readonly group: string; readonly isFailed: boolean };

type Point = { readonly x: number; readonly y: number };
type LinkPlace = { readonly from: Point; readonly to: Point };

/** The line of each part and group, in the order of the groups. */
export function linksOf({ groups }: BothEnds): Link[] {
	return groups.flatMap(({ key, parts, isFailed }) => parts.map(({ id }) => ({ part: id, group: key, isFailed })));
}

/**
 * Where a line begins and ends, in pixels of the picture of the lines.
 * @param box which contains the parts, the checks and the picture
 * @returns undefined where one of them is not shown
 */
export function placesOf({ part, group }: Link, box: HTMLElement): LinkPlace | undefined {
	const picture = box.querySelector('svg.links')?.getBoundingClientRect();
	const start = box.querySelector(`[data-part="${CSS.escape(part)}"]`)?.getBoundingClientRect();
	const end = box.querySelector(`[data-group="${CSS.escape(group)}"]`);
	// The comparison of a failed check is below its line.
	const rows = end?.querySelector('ol')?.getBoundingClientRect();
	if (picture === undefined || start === undefined || end === null || rows === undefined || picture.width === 0)
		return undefined;
	return {
		from: { x: start.right - picture.left, y: start.top + start.height / 2 - picture.top },
		to: { x: end.getBoundingClientRect().left - picture.left, y: rows.top + rows.height / 2 - picture.top }
	};
}

/** A line as the path of SVG: it leaves and arrives level. */
export function curve({ from, to }: LinkPlace): string {
	const middle = (from.x + to.x) / 2;
	return `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}

/** A field of a response, for readers. */
type ReturnedField = { readonly name: string; readonly value: string };

/** How many fields of a response are named. */
const most = 6;

/** What the response carried: the parameters of a redirect, or the fields of JSON and XML with one value. Secrets are their labels. */
export function returnedFields(entry: TrafficEntry): ReturnedField[] {
	const location = locationOf(entry);
	const fields = location === undefined ? bodyFields(bodyOf(entry, 'response')) : readParameters(queryOf(location));
	return fields
		.slice(0, most)
		.map(([name, value]) => ({ name, value: withLabels(value, ({ label, preview }) => preview || label) }));
}

function bodyFields(body: MessageText): Parameter[] {
	const found = body.text.matchAll(/"(\w+)":\s*(?:"([^"]*)"|([\d.]+|true|false))|<(\w+)>([^<]*)<\//dg);
	return [...found].map(({ indices, 1: key, 4: tag = '' }) => {
		const [start, end] = indices?.[2] ?? indices?.[3] ?? indices?.[5] ?? [0, 0];
		return [key ?? tag, sliceText(body, start, end)];
	});
}

/** The authorization request that set what a check expected, and the parameter that did. */
type ExpectedFrom = { readonly name: string; readonly entry: TrafficEntry };

/**
 * Finds the request that set what a check expected: the authorization request of the same flow.
 * @param entries the log
 * @returns undefined where the check compares with nothing of that request, or the log no longer contains it
 */
export function expectedFrom(
	entry: TrafficEntry,
	line: TraceLine,
	entries: readonly TrafficEntry[]
): ExpectedFrom | undefined {
	const name = findCheck(line.id)?.setBy;
	if (name === undefined || entry.flow === undefined) return undefined;
	const found = entries.find(
		(earlier) =>
			earlier.flow === entry.flow &&
			earlier.endpoint === 'auth' &&
			readParameters(queryOf(targetOf(earlier))).some(([sent]) => sent === name)
	);
	return found && { name, entry: found };
}
