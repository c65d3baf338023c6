import type { WireResult, WireResponse } from '#wire/message.ts';
import { StoreFull } from '#store/store.ts';
import type { Context, ContextInit } from './context.ts';
import { ProtocolError } from './errors.ts';
import type { TraceLine } from './trace.ts';

/** What a step says: nothing (go on) or an answer (stop). It refuses by throwing a `ProtocolError`. */
export type CheckResult = WireResult | undefined | void;

/** A named check. An endpoint is an ordered list of them, and reads as the specification does. */
export type Check<C extends Context> = {
	readonly name: string;
	/** The section that asks for it: "2.3", or "RFC 6749 §5.2". */
	readonly section: string;
	readonly run: (context: C) => CheckResult | Promise<CheckResult>;
};

/** Names a check. */
export function check<C extends Context>(
	name: string,
	section: string,
	run: (context: C) => CheckResult | Promise<CheckResult>
): Check<C> {
	return { name, section, run };
}

/** An endpoint, ready to answer: its steps, and the way its errors become bytes. */
export type Endpoint = {
	readonly steps: readonly { readonly name: string; readonly section: string }[];
	/** Opens a call, and a function that answers it. */
	open(opening: ContextInit): { context: Context; answer: () => Promise<WireResult> };
};

/**
 * Puts an endpoint together.
 * @param Kind the call that its steps fill
 * @param steps in the order in which they are run
 * @param refuse turns an error into an answer
 */
export function endpoint<C extends Context>(
	Kind: new (opening: ContextInit) => C,
	steps: readonly Check<C>[],
	refuse: (context: C, error: ProtocolError) => WireResponse
): Endpoint {
	return {
		steps,
		open(opening) {
			const context = new Kind(opening);
			return { context, answer: () => run(context, steps, refuse) };
		}
	};
}

async function run<C extends Context>(
	context: C,
	steps: readonly Check<C>[],
	refuse: (context: C, error: ProtocolError) => WireResponse
): Promise<WireResult> {
	const timer = context.options.timer ?? context.options.now;
	let begin = timer();
	for (const { name, section, run } of steps) {
		const line: TraceLine = { name, section, outcome: 'passed', detail: '', duration_us: 0 };
		context.trace.push(line);
		try {
			const result = run(context);
			const answer = result instanceof Promise ? await result : result;
			if (answer !== undefined) {
				line.outcome = 'responded';
				return answer;
			}
		} catch (fault) {
			line.outcome = 'failed';
			const error = asProtocolError(context, fault);
			line.detail ||= error.message;
			return refuse(context, error);
		} finally {
			const end = timer();
			line.duration_us = Math.round((end - begin) * 1000);
			begin = end;
		}
	}
	return refuse(context, asProtocolError(context, new Error(`No step answered: ${context.endpoint}`)));
}

function asProtocolError(context: Context, fault: unknown): ProtocolError {
	if (fault instanceof ProtocolError) return fault;
	if (fault instanceof StoreFull && (context.endpoint === 'control' || context.endpoint === 'applications')) {
		return new ProtocolError('limit_reached', 'There can be no more of these. Delete one that nobody needs.');
	}
	if (fault instanceof StoreFull) {
		return new ProtocolError('temporarily_unavailable', 'This sandbox is full. Reset it, or try again later.');
	}
	context.options.report?.(fault, context.id);
	return new ProtocolError(
		'server_error',
		`The service failed. Its operator finds the reason under request ${context.id}.`
	);
}
