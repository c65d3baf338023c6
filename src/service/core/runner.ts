import type { TraceLine } from '#api/control/traffic.ts';
import type { WireResponse, WireResult } from '#api/message.ts';
import { StoreFull, StoreUnavailable } from '#store/errors.ts';
import { createTraceLine, type Check } from './check.ts';
import type { Context, ContextInit } from './context.ts';
import { ProtocolError } from './errors.ts';

/** An ordered list of checks, and the way its errors become responses. */
export type Endpoint = {
	readonly checks: readonly Pick<Check<Context>, 'id'>[];
	/** Opens the context of a request, and a function that runs the checks on it. */
	open(init: ContextInit): { context: Context; respond: () => Promise<WireResult> };
};

/**
 * Creates an endpoint.
 * @param Kind the context that its checks fill
 * @param checks in the order in which they run
 * @param toResponse turns an error into a response
 */
export function endpoint<C extends Context>(
	Kind: new (init: ContextInit) => C,
	checks: readonly Check<C>[],
	toResponse: (context: C, error: ProtocolError) => WireResponse
): Endpoint {
	return {
		checks,
		open(init) {
			const context = new Kind(init);
			return { context, respond: () => run(context, checks, toResponse) };
		}
	};
}

async function run<C extends Context>(
	context: C,
	checks: readonly Check<C>[],
	toResponse: (context: C, error: ProtocolError) => WireResponse
): Promise<WireResult> {
	const timer = context.options.timer ?? context.options.now;
	let begin = timer();
	for (const { id, run, applies } of checks) {
		if (applies?.(context) === false) continue;
		const line = createTraceLine(id, 'passed', context.dialect.name);
		context.trace.push(line);
		try {
			const returned = run(context);
			const result = returned instanceof Promise ? await returned : returned;
			if (result !== undefined) {
				line.outcome = 'responded';
				return result;
			}
		} catch (fault) {
			line.outcome = 'failed';
			const error = toProtocolError(context, fault);
			recordFailure(line, error);
			return toResponse(context, error);
		} finally {
			const end = timer();
			line.duration_us = Math.round((end - begin) * 1000);
			// oxlint-disable-next-line no-useless-assignment -- the next check reads it
			begin = end;
		}
	}
	return toResponse(context, toProtocolError(context, new Error(`No check responded: ${context.route.endpoint}`)));
}

function recordFailure(line: TraceLine, { message, cause, received, expected }: ProtocolError): void {
	line.detail ||= message;
	if (cause !== undefined) line.cause = cause;
	if (received !== undefined) line.found = received.join('\n');
	if (expected !== undefined) line.expected = expected.join('\n');
}

function toProtocolError(context: Context, fault: unknown): ProtocolError {
	if (fault instanceof ProtocolError) return fault;
	if (fault instanceof StoreFull && context.route.name === 'control') {
		return new ProtocolError('limit_reached', fault.message, { cause: 'sandbox_full' });
	}
	if (fault instanceof StoreFull) {
		return new ProtocolError('temporarily_unavailable', 'This sandbox is full. Reset it, or try again later.', {
			cause: 'sandbox_full'
		});
	}
	if (fault instanceof StoreUnavailable) {
		return new ProtocolError('temporarily_unavailable', `${fault.message} Try again in a moment.`, {
			cause: 'store_unavailable',
			headers: ['Retry-After', '1']
		});
	}
	context.options.report?.(fault, context.id);
	return new ProtocolError(
		'server_error',
		`An internal error occurred. Report it to the operator with request ${context.id}.`,
		{ cause: 'internal_error' }
	);
}
