import type { WireStream } from '#wire/message.ts';
import { Fields } from '../fields.ts';
import { ProtocolError } from '../errors.ts';
import type { TrafficEntry, TrafficLog } from '../traffic.ts';
import { control } from './control-call.ts';

/** How many entries one answer holds at the most, and how many wait for a slow reader before it is cut off. */
const mostEntries = 500;

export const read = control((call) => {
	const fields = new Fields(call.query);
	const after = wholeNumber(fields.get('after') ?? '0');
	const limit = Math.min(mostEntries, wholeNumber(fields.get('limit') ?? '100'));
	return { entries: call.sandbox.traffic.after(after, limit) };
});

export const find = control((call) => {
	const entry = call.sandbox.traffic.find(call.segments[1] ?? '');
	if (entry === undefined)
		throw new ProtocolError('not_found', 'No exchange with this X-Request-Id is in the log (any more).');
	return entry;
});

export const clear = control((call) => {
	call.sandbox.traffic.clear();
	return { entries: [] };
});

/** The live event stream: one event an exchange, its number as id, so that a reader that lost touch can go on. */
export const stream = control((call): WireStream => {
	const last = call.header('last-event-id') ?? new Fields(call.query).get('after');
	const after = last === undefined ? undefined : wholeNumber(last);
	return {
		kind: 'stream',
		status: 200,
		headers: [
			'Content-Type',
			'text/event-stream; charset=utf-8',
			'Cache-Control',
			'no-store',
			'X-Content-Type-Options',
			'nosniff'
		],
		body: events(call.sandbox.traffic, after)
	};
});

/** Not a generator: leaving one that waits for its next event would leave its subscription behind. */
function events(log: TrafficLog, after: number | undefined): AsyncIterable<string> {
	return {
		[Symbol.asyncIterator]() {
			const waiting = [': the traffic of this sandbox\n\n'];
			let isOver = false;
			let wake = () => {};
			const push = (entry: TrafficEntry) => {
				waiting.push(`id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`);
				if (waiting.length > mostEntries) waiting.shift();
				wake();
			};
			if (after !== undefined) log.after(after, mostEntries - 1).forEach(push);
			const leave = log.subscribe(push);
			return {
				async next(): Promise<IteratorResult<string>> {
					while (waiting.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
					const value = waiting.shift();
					return isOver || value === undefined ? { done: true, value: undefined } : { done: false, value };
				},
				return(): Promise<IteratorResult<string>> {
					isOver = true;
					leave();
					wake();
					return Promise.resolve({ done: true, value: undefined });
				}
			};
		}
	};
}

function wholeNumber(text: string): number {
	if (/^\d{1,15}$/.test(text)) return Number(text);
	throw new ProtocolError('invalid_request', 'after and limit are whole numbers.');
}
