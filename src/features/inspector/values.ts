import type { TrafficEntry } from '#api/control/traffic.ts';
import { isValueLabel } from '#api/value-references.ts';
import { CredentialHistory, type End } from '#evidence/credential-history.ts';
import { isRejection, type FlowMessage } from './flow-messages.ts';
import { bodyFormat, queryOf, readParameters } from './message/http-message.ts';
import { bodyOf, partsOf, targetOf, type MessagePart, type MessageText } from '#evidence/message-text.ts';

/** A value that is shown unchanged and can be followed: a client_id or a redirect URI. */
type PlainValue = {
	readonly value: string;
	/** As it occurs in messages: plain or percent-encoded. */
	readonly spellings: readonly string[];
};

/** The client_id and redirect_uri of an exchange. */
function plainValues(entry: TrafficEntry): PlainValue[] {
	const { client_id, request } = entry;
	const form = bodyFormat(request.headers) === 'form' ? readParameters(bodyOf(entry, 'request')) : [];
	const sent = [...readParameters(queryOf(targetOf(entry))), ...form].flatMap(([name, { text, references }]) =>
		/^(?:client_id|redirect_uri)$/.test(name) && text.length >= 4 && references.length === 0 ? [text] : []
	);
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
 * @param entry the exchange, if it is known
 */
export function splitFollowable(text: MessageText, entry: TrafficEntry | undefined): FollowablePart[] {
	if (entry === undefined) return [{ text: text.text }];
	const followable = known.has(entry) ? known.get(entry) : toFollowable(entry);
	known.set(entry, followable);
	return partsOf(text).flatMap((part): FollowablePart[] => {
		if (part.value !== undefined) return [{ ...part, follows: part.value.label }];
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
 * Whether a message contains a value.
 * @param value a label (`code 3`), a client_id or a redirect URI
 */
function containsValue({ text, values }: Pick<FlowMessage, 'text' | 'values'>, value: string): boolean {
	if (values.some(({ label }) => label === value)) return true;
	return !isValueLabel(value) && (text.includes(value) || text.includes(encodeURIComponent(value)));
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
		if (containsValue(message, value)) {
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

function checkOf(entry: TrafficEntry): ValueUse {
	return isRejection(entry) ? 'rejected' : 'checked';
}
