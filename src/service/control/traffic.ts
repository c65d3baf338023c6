import { trafficApi } from '#api/control/traffic.ts';
import type { WireStream } from '#api/message.ts';
import { FormFields } from '../core/form-fields.ts';
import { ProtocolError } from '../core/errors.ts';
import { implement, type ControlContext } from './control-endpoint.ts';

/** How many entries a response contains at most. */
const mostEntries = 500;

export const trafficEndpoints = implement(trafficApi, {
	'GET /control/traffic': async (context) => {
		const fields = new FormFields(context.query);
		const after = wholeNumber(fields.get('after') ?? '0');
		const limit = Math.min(mostEntries, wholeNumber(fields.get('limit') ?? '100'));
		return { entries: await context.sandbox.traffic.after(after, limit) };
	},
	// Numbers go on from where they were.
	'DELETE /control/traffic': async ({ sandbox }) => {
		await sandbox.traffic.clear();
		return { entries: [] };
	},
	'GET /control/traffic/{request_id}': async ({ sandbox }, { path: { request_id } }) => {
		const entry = await sandbox.traffic.find(request_id);
		if (entry === undefined)
			throw new ProtocolError(
				'not_found',
				'The log has no exchange with this X-Request-Id. It keeps the newest ones only.'
			);
		return entry;
	},
	'GET /control/traffic/stream': streamTraffic
});

/**
 * One event per exchange. The id of an event is the number of the entry, so that a reader can resume. The event `reset` reports that
 * all records were replaced (a reset or a snapshot). The stream ends with the sandbox, and when keys of the sandbox are revoked.
 */
function streamTraffic(context: ControlContext): WireStream {
	const last = context.header('last-event-id') ?? new FormFields(context.query).get('after');
	const after = last === undefined ? undefined : wholeNumber(last);
	const { traffic: log, streams } = context.sandbox;
	const body = streams.open({ log, after, address: context.networkAddress, sleep: context.options.sleep });
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
}

function wholeNumber(text: string): number {
	if (/^\d{1,15}$/.test(text)) return Number(text);
	throw new ProtocolError('invalid_request', 'after and limit must be whole numbers.');
}
