import { trafficApi } from '#api/control/traffic.ts';
import type { WireStream } from '#api/message.ts';
import { FormFields } from '../core/form-fields.ts';
import { ProtocolError } from '../core/errors.ts';
import { respondEvents } from '../core/responses.ts';
import { type ControlContext, implement } from './control-endpoint.ts';

/** How many entries a response contains at most. */
const mostEntries = 500;

/** How often an open stream of the instructor is noted at most, in milliseconds. */
const noteInterval = 15_000;

export const trafficEndpoints = implement(trafficApi, {
	'GET /control/traffic': async (context) => {
		await noteInstructor(context);
		const fields = new FormFields(context.query);
		const after = wholeNumber(fields.get('after') ?? '0');
		const limit = Math.min(mostEntries, wholeNumber(fields.get('limit') ?? '100'));
		const exchanges = await context.sandbox.traffic.after(after, limit);
		return { entries: exchanges.map((exchange) => exchange.entry()) };
	},
	// Numbers go on from where they were.
	'DELETE /control/traffic': async ({ sandbox }) => {
		await sandbox.traffic.clear();
		return { entries: [] };
	},
	'GET /control/traffic/{request_id}': async (context, { path: { request_id } }) => {
		await noteInstructor(context);
		const entry = await context.sandbox.traffic.find(request_id);
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
async function streamTraffic(context: ControlContext): Promise<WireStream> {
	await noteInstructor(context);
	const last = context.header('last-event-id') ?? new FormFields(context.query).get('after');
	const after = last === undefined ? undefined : wholeNumber(last);
	const { traffic: log, streams } = context.sandbox;
	const body = streams.open({ log, after, address: context.networkAddress, sleep: context.options.sleep });
	return respondEvents(context.right === 'class key' ? noting(context, body) : body);
}

/** The pages of a seat say when the instructor reads its log. */
async function noteInstructor({ right, sandbox, classService }: ControlContext): Promise<void> {
	if (right !== 'class key' || sandbox.seat === undefined) return;
	if (await classService?.classes.noteWatching(sandbox.seat)) sandbox.traffic.announce('notice');
}

/** Notes the instructor as long as the stream is open. It has an event, if only a heartbeat, every 20 seconds. */
function noting(context: ControlContext, body: AsyncIterable<string>): AsyncIterable<string> {
	const inner = body[Symbol.asyncIterator]();
	let noted = context.options.now();
	return {
		[Symbol.asyncIterator]: () => ({
			async next() {
				const result = await inner.next();
				const now = context.options.now();
				if (result.done !== true && now - noted >= noteInterval) {
					noted = now;
					await noteInstructor(context);
				}
				return result;
			},
			return: () => inner.return?.() ?? Promise.resolve({ done: true, value: undefined })
		})
	};
}

function wholeNumber(text: string): number {
	if (/^\d{1,15}$/.test(text)) return Number(text);
	throw new ProtocolError('invalid_request', 'after and limit must be whole numbers.');
}
