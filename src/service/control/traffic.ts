import type { WireStream } from '#wire/message.ts';
import { FormFields } from '../form-fields.ts';
import { ProtocolError } from '../errors.ts';
import { protectedEndpoint } from './control-endpoint.ts';

/** How many entries a response contains at most. */
const mostEntries = 500;

/** `GET traffic`: a part of the log, oldest first. */
export const readTraffic = protectedEndpoint(async (context) => {
	const fields = new FormFields(context.query);
	const after = wholeNumber(fields.get('after') ?? '0');
	const limit = Math.min(mostEntries, wholeNumber(fields.get('limit') ?? '100'));
	return { entries: await context.sandbox.traffic.after(after, limit) };
});

/** `GET traffic/<X-Request-Id>`: one exchange with its trace of checks. */
export const findTrafficEntry = protectedEndpoint(async (context) => {
	const entry = await context.sandbox.traffic.find(context.segments[1] ?? '');
	if (entry === undefined)
		throw new ProtocolError(
			'not_found',
			'The log has no exchange with this X-Request-Id. It keeps the newest ones only.'
		);
	return entry;
});

/** `DELETE traffic`: empties the log. Numbers go on from where they were. */
export const clearTraffic = protectedEndpoint(async (context) => {
	await context.sandbox.traffic.clear();
	return { entries: [] };
});

/**
 * `GET traffic/stream`: one event per exchange. The id of an event is the number of the entry, so that a reader can resume. The
 * event `reset` reports that all records were replaced (a reset or a snapshot). The stream ends with the sandbox, and when keys of
 * the sandbox are revoked.
 */
export const streamTraffic = protectedEndpoint((context): WireStream => {
	const last = context.header('last-event-id') ?? new FormFields(context.query).get('after');
	const after = last === undefined ? undefined : wholeNumber(last);
	const { traffic: log, streams } = context.sandbox;
	const body = streams.open({ log, after, address: context.address, sleep: context.options.sleep });
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
		body
	};
});

function wholeNumber(text: string): number {
	if (/^\d{1,15}$/.test(text)) return Number(text);
	throw new ProtocolError('invalid_request', 'after and limit must be whole numbers.');
}
