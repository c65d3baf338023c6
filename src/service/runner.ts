import type { WireAnswer, WireResponse } from '#wire/message.ts';
import { StoreFull } from '#store/store.ts';
import type { Call, Opening } from './context.ts';
import { ProtocolError } from './errors.ts';
import type { TraceLine } from './trace.ts';

/** What a step says: nothing (go on) or an answer (stop). It refuses by throwing a `ProtocolError`. */
export type StepResult = WireAnswer | undefined | void;

/** A named check. An endpoint is an ordered list of them, and reads as the specification does. */
export type Step<C extends Call> = {
	readonly name: string;
	/** The section that asks for it: "2.3", or "RFC 6749 §5.2". */
	readonly section: string;
	readonly run: (call: C) => StepResult | Promise<StepResult>;
};

/** Names a check. */
export function step<C extends Call>(
	name: string,
	section: string,
	run: (call: C) => StepResult | Promise<StepResult>
): Step<C> {
	return { name, section, run };
}

/** An endpoint, ready to answer: its steps, and the way its errors become bytes. */
export type Endpoint = {
	readonly steps: readonly { readonly name: string; readonly section: string }[];
	/** Opens a call, and a function that answers it. */
	open(opening: Opening): { call: Call; answer: () => Promise<WireAnswer> };
};

/**
 * Puts an endpoint together.
 * @param Kind the call that its steps fill
 * @param steps in the order in which they are run
 * @param refuse turns an error into an answer
 */
export function endpoint<C extends Call>(
	Kind: new (opening: Opening) => C,
	steps: readonly Step<C>[],
	refuse: (call: C, error: ProtocolError) => WireResponse
): Endpoint {
	return {
		steps,
		open(opening) {
			const call = new Kind(opening);
			return { call, answer: () => run(call, steps, refuse) };
		}
	};
}

async function run<C extends Call>(
	call: C,
	steps: readonly Step<C>[],
	refuse: (call: C, error: ProtocolError) => WireResponse
): Promise<WireAnswer> {
	const timer = call.options.timer ?? call.options.now;
	let begin = timer();
	for (const { name, section, run } of steps) {
		const line: TraceLine = { name, section, outcome: 'passed', saw: '', took: 0 };
		call.trace.push(line);
		try {
			const result = run(call);
			const answer = result instanceof Promise ? await result : result;
			if (answer !== undefined) {
				line.outcome = 'answered';
				return answer;
			}
		} catch (fault) {
			line.outcome = 'refused';
			const error = asProtocolError(call, fault);
			line.saw ||= error.message;
			return refuse(call, error);
		} finally {
			const end = timer();
			line.took = Math.round((end - begin) * 1000);
			begin = end;
		}
	}
	return refuse(call, asProtocolError(call, new Error(`No step answered: ${call.endpoint}`)));
}

function asProtocolError(call: Call, fault: unknown): ProtocolError {
	if (fault instanceof ProtocolError) return fault;
	if (fault instanceof StoreFull && (call.endpoint === 'control' || call.endpoint === 'applications')) {
		return new ProtocolError('limit_reached', 'There can be no more of these. Delete one that nobody needs.');
	}
	if (fault instanceof StoreFull) {
		return new ProtocolError('temporarily_unavailable', 'This sandbox is full. Reset it, or try again later.');
	}
	call.options.report?.(fault, call.id);
	return new ProtocolError(
		'server_error',
		`The service failed. Its operator finds the reason under request ${call.id}.`
	);
}
