import type { TrafficEntry } from '#api/control/traffic.ts';
import { containsValue } from './contains-value.ts';
import { CredentialHistory, type End } from './credential-history.ts';
import type { FlowMessage } from './flow-messages.ts';

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
