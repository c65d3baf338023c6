import { findCheck } from '#api/logged-check.ts';
import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { decodePercent } from '#lib/percent.ts';
import { bodyFormat, queryOf, readParameters, splitTarget } from '../message/http-message.ts';
import { bodyOf, headersOf, plainText, targetOf, withLabels, type MessageText } from '#evidence/message-text.ts';

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
export function sentParts(entry: TrafficEntry): SentPart[] {
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
export function readsOf({ id }: TraceLine): readonly string[] {
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
