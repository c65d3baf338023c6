import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { valueMarker } from '#api/value-marker.ts';
import { CredentialHistory, type End } from './credential-history.ts';
import type { FlowMessage } from './flow-messages.ts';
import { bodyFormat, readParameters, splitTarget } from './message/http-message.ts';

/** A part of a message: plain text, or a labelled value in place of a secret. */
export type MessagePart = { readonly text: string; readonly label?: string; readonly preview?: string };

/**
 * Splits a redacted message at its value markers.
 * @param text of a traffic entry: a target, a header or a body
 * @param values of the entry. A client can send text that looks like a marker: it stays text
 */
export function splitMarkers(text: string, values: readonly TrafficValue[]): MessagePart[] {
	const parts: MessagePart[] = [];
	let end = 0;
	for (const match of findMarkers(text, values)) {
		const [marker, label = '', preview = ''] = match;
		if (match.index > end) parts.push({ text: text.slice(end, match.index) });
		parts.push({ text: marker, label, preview });
		end = match.index + marker.length;
	}
	if (end < text.length) parts.push({ text: text.slice(end) });
	return parts;
}

/** The value markers in a redacted message, each with its label and its preview. */
export function findMarkers(text: string, values: readonly TrafficValue[]): RegExpExecArray[] {
	if (!text.includes('‹')) return [];
	return [...text.matchAll(valueMarker)].filter(([, label = '', preview = '']) => isMarker(values, label, preview));
}

/** Whether an exchange has a value with this label and preview. A client can send text that looks like a marker. */
export function isMarker(values: readonly TrafficValue[], label: string, preview: string): boolean {
	return values.some((value) => value.label === label && value.preview === preview);
}

/** A value that is shown unchanged and can be followed: a client_id or a redirect URI. */
type PlainValue = {
	readonly value: string;
	/** As it occurs in messages: plain or percent-encoded. */
	readonly spellings: readonly string[];
};

/** The client_id and redirect_uri of an exchange. */
function plainValues({ client_id, request }: TrafficEntry): PlainValue[] {
	const form = bodyFormat(request.headers) === 'form' ? readParameters(request.body) : [];
	const sent = [...readParameters(splitTarget(request.target).query), ...form]
		.filter(([name, value]) => /^(?:client_id|redirect_uri)$/.test(name) && /^[^‹›]{4,}$/.test(value))
		.map(([, value]) => value);
	const values = new Set(client_id === undefined ? sent : [client_id, ...sent]);
	return [...values].map((value) => ({
		value,
		spellings: [...new Set([value, encodeURIComponent(value), new URLSearchParams({ a: value }).toString().slice(2)])]
	}));
}

/** A part of a message. `follows`: what is followed while it has the pointer or the focus. */
export type FollowablePart = MessagePart & { readonly follows?: string };

type Followable = { readonly spellings: ReadonlyMap<string, string>; readonly pattern: RegExp };

const known = new WeakMap<TrafficEntry, Followable | undefined>();

/**
 * Splits a text of an exchange at everything in it that can be followed.
 * @param text redacted
 * @param entry the exchange, if it is known
 */
export function splitFollowable(text: string, entry: TrafficEntry | undefined): FollowablePart[] {
	if (entry === undefined) return [{ text }];
	const followable = known.has(entry) ? known.get(entry) : toFollowable(entry);
	known.set(entry, followable);
	return splitMarkers(text, entry.values).flatMap((part) => {
		if (part.label !== undefined) return [{ ...part, follows: part.label }];
		return followable === undefined ? [part] : splitPlain(part.text, followable);
	});
}

function toFollowable(entry: TrafficEntry): Followable | undefined {
	const spellings = new Map(
		plainValues(entry).flatMap(({ value, spellings }) => spellings.map((one) => [one, value] as const))
	);
	if (spellings.size === 0) return undefined;
	const longestFirst = [...spellings.keys()].sort((one, other) => other.length - one.length);
	const alternatives = longestFirst.map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
	return { spellings, pattern: new RegExp(alternatives.join('|'), 'g') };
}

function splitPlain(text: string, { spellings, pattern }: Followable): FollowablePart[] {
	const parts: FollowablePart[] = [];
	let end = 0;
	for (const { 0: found, index } of text.matchAll(pattern)) {
		if (index > end) parts.push({ text: text.slice(end, index) });
		parts.push({ text: found, follows: spellings.get(found) ?? found });
		end = index + found.length;
	}
	if (end < text.length) parts.push({ text: text.slice(end) });
	return parts;
}

/**
 * Whether a redacted text contains a value: a label (`code 3`), a client_id or a redirect URI.
 * @param text of a traffic entry
 * @param values of this entry
 */
export function containsValue(text: string, value: string, values: readonly TrafficValue[]): boolean {
	if (text.includes(`‹${value}›`) || text.includes(`‹${value} `))
		return findMarkers(text, values).some(([, label]) => label === value);
	if (/^[A-Za-z ]+ \d+$/.test(value)) return false;
	return text.includes(value) || text.includes(encodeURIComponent(value));
}

/**
 * Whether an exchange contains the value that is followed.
 * @param value a label (`code 3`), a client_id or a redirect URI
 */
export function followsValue(entry: TrafficEntry, value: string | undefined): boolean {
	if (value === undefined) return false;
	if (entry.client_id === value || entry.values.some(({ label }) => label === value)) return true;
	const { target, body } = entry.request;
	return [value, encodeURIComponent(value)].some((text) => target.includes(text) || body.includes(text));
}

/** What happens to a value in a message. */
export type ValueUse = 'created' | 'sent' | 'checked' | 'used up' | 'rejected' | 'ended' | 'returned';

/**
 * What happens to a followed value, by the id of the message.
 * @param messages of the flow that is shown
 * @param entries of the log, oldest first
 * @param value a label (`code 3`), a client_id or a redirect URI
 */
export function followValue(
	messages: readonly FlowMessage[],
	entries: readonly TrafficEntry[],
	value: string
): ReadonlyMap<string, ValueUse> {
	const uses = new Map<string, ValueUse>();
	const id = entries.flatMap(({ values }) => values).find(({ label }) => label === value)?.id;
	const isSecret = id !== undefined;
	const history = new CredentialHistory(entries);
	const issue = isSecret ? history.issueOf(id) : undefined;
	const ends = isSecret ? history.endsOf(id) : [];
	const exchanges = new Map(entries.map((entry) => [entry.id, entry]));
	let isKnown = !isSecret || issue !== undefined;
	const isSent = new Set<string>();
	for (const message of messages) {
		const entry = exchanges.get(message.exchange);
		if (entry === undefined) continue;
		if (containsValue(message.text, value, message.values)) {
			const isIssued = message.isReply && entry === issue?.entry;
			if (!message.isReply && message.isSeen) isSent.add(entry.id);
			uses.set(message.id, isIssued || !isKnown ? 'created' : passingUse(message));
			isKnown = true;
			if (isIssued || !message.id.endsWith(' response')) continue;
		}
		if (!message.id.endsWith(' response') || !isSecret) continue;
		const ended = ends.filter((end) => end.entry === entry);
		const result = ended.length > 0 ? endOf(ended, id) : isSent.has(entry.id) ? checkOf(entry) : undefined;
		if (result !== undefined && uses.get(message.id) !== 'created') uses.set(message.id, result);
	}
	return uses;
}

function passingUse({ from, to, isReply, isSeen }: FlowMessage): ValueUse {
	if (from === to) return 'checked';
	return isReply && isSeen ? 'returned' : 'sent';
}

function endOf(ends: readonly End[], id: string): ValueUse {
	return ends.some(({ event }) => event.id === id && event.reason === 'exchanged') ? 'used up' : 'ended';
}

function checkOf({ response }: TrafficEntry): ValueUse {
	return response === null || response.status >= 400 ? 'rejected' : 'checked';
}
