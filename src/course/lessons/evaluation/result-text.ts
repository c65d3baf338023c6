import type { TrafficEntry } from '#api/control/traffic.ts';
import { issued, parameter } from '#evidence/exchanges.ts';
import { isOverLimit } from './limit-exchanges.ts';
import { nameOf } from './step.ts';

/** What came back, in a few words: `200 access token`, `400 invalid_grant`, `no response`. */
export function resultOf(entry: TrafficEntry | undefined): string | undefined {
	if (entry === undefined) return undefined;
	if (entry.response === null) return 'no response';
	const { status, body } = entry.response;
	if (issued(entry, 'access_token') !== undefined) return `${status} access token`;
	const error = /"error": ?"([^"]+)"/.exec(body)?.[1];
	return error === undefined ? String(status) : `${status} ${error}`;
}

/** A parameter that was changed after a request was sent. */
export type Change = { readonly name: string; readonly was: string };

/** What of a request differs from the one that was sent. @param edits the parameters that the learner may change */
export function changesSince(
	sent: TrafficEntry | undefined,
	draft: readonly { readonly name: string; readonly value: string; readonly isOn: boolean }[],
	edits: readonly string[]
): readonly Change[] {
	if (sent === undefined) return [];
	return draft.flatMap(({ name, value, isOn }) => {
		const was = parameter(sent, name) ?? (name === 'character_name' ? nameOf(sent.request.target) : undefined);
		// The log shortens codes and tokens.
		const isComparable = was !== undefined && edits.includes(name) && isOn && !/[…•]/.test(was);
		return isComparable && was !== value ? [{ name, was }] : [];
	});
}

/** What a revocation of access tokens led to. @param after number of the newest exchange before it */
export const revokedText = (entries: readonly TrafficEntry[], after: number) =>
	entries.some(({ seq, response }) => seq > after && response?.status === 401)
		? 'Revoked. The application knows since it got 401.'
		: 'Revoked. The application does not know yet.';

/** How the requests of a step ended. */
export function countsOf(attempts: readonly TrafficEntry[]) {
	const count = (is: (entry: TrafficEntry) => boolean) => attempts.filter(is).length;
	const status = ({ response }: TrafficEntry) => response?.status ?? 0;
	return [
		['sent', attempts.length],
		['accepted', count((entry) => status(entry) === 200)],
		['rate limited', count(isOverLimit)],
		['401, repeated', count((entry) => status(entry) === 401)],
		['other errors', count((entry) => status(entry) >= 400 && status(entry) !== 401 && !isOverLimit(entry))],
		['no response', count(({ response }) => response === null)]
	] as const;
}

/** Whether the lines of a prediction are those of a response. `…` in a line may be anything. */
export function isImplied(implied: readonly string[], recorded: readonly string[]): boolean {
	return implied.every((line, index) => {
		const [first = '', ...parts] = line.split('…').map((part) => part.replace(/[{}\s]/g, ''));
		const text = (recorded[index] ?? '').replace(/[{}\s]/g, '');
		let at = text.startsWith(first) ? first.length : line.startsWith('"') && text.includes(first) ? text.length : -1;
		if (parts.length === 0) return at >= 0 && (line.startsWith('"') || text === first);
		for (const part of parts) {
			const found = at < 0 ? -1 : text.indexOf(part, at);
			at = found < 0 ? -1 : found + part.length;
		}
		return at >= 0;
	});
}
