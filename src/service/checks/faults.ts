import { silence, type WireAnswer } from '#wire/message.ts';
import type { Call } from '../context.ts';
import { answerFormError } from '../pages/form-error.ts';
import { answerError } from '../responses.ts';
import { ProtocolError, type ErrorCode } from '../errors.ts';
import type { Fault } from '../records.ts';
import { step } from '../runner.ts';

/** How many answers of one sandbox are delayed at once: each holds a connection, and those are for all (RM-05). */
const mostDelayed = 100;

/** Spoils this answer before the service has done anything, where a fault was injected for the endpoint. */
export const injectFault = step<Call>('no fault is injected here', 'design §6', async (call) => {
	const fault = await takeFault(call, false);
	if (fault === undefined) return undefined;
	call.saw(`injected: ${nameOf(fault)}`);
	return spoil(call, fault);
});

/** Spoils an answer whose work is done ("drop after commit"), where such a fault was injected for the endpoint. */
export async function spoilCommitted(call: Call, answer: WireAnswer): Promise<WireAnswer> {
	// A blacklisted address gets no response, not even a spoilt one.
	const fault = answer.kind === 'silence' ? undefined : await takeFault(call, true);
	if (fault === undefined) return answer;
	call.trace.push({
		name: 'no fault is injected after the work',
		section: 'design §6',
		outcome: 'answered',
		saw: `injected: ${nameOf(fault)}`,
		took: 0
	});
	return (await spoil(call, fault)) ?? answer;
}

async function takeFault(call: Call, afterCommit: boolean): Promise<Fault | undefined> {
	const matches = (fault: Fault) =>
		fault.endpoint === call.endpoint &&
		fault.afterCommit === afterCommit &&
		fault.times > 0 &&
		fault.until > call.options.now();
	if (!call.sandbox.world.faults.some(matches)) return undefined;
	let taken: Fault | undefined;
	await call.sandbox.set((world) => {
		taken = world.faults.find(matches);
		const faults = world.faults.map((fault) => (fault === taken ? { ...fault, times: fault.times - 1 } : fault));
		return { ...world, faults: faults.filter((fault) => fault.times > 0 && fault.until > call.options.now()) };
	});
	return taken;
}

async function spoil(call: Call, fault: Fault): Promise<WireAnswer | undefined> {
	if (fault.kind === 'drop') return silence;
	if (fault.kind === 'status') {
		return refusal(
			call,
			codeOf(fault.status),
			'This answer was spoilt on purpose: a fault is injected into this endpoint.',
			fault.status
		);
	}
	const { sandbox } = call;
	if (sandbox.delayed >= mostDelayed) {
		const words = `This sandbox delays ${mostDelayed} answers on purpose already, and no more at once.`;
		return refusal(call, 'temporarily_unavailable', words, 503);
	}
	sandbox.delayed++;
	await call.options.sleep(fault.delay).finally(() => sandbox.delayed--);
	return undefined;
}

function refusal(call: Call, code: ErrorCode, words: string, status: number): WireAnswer {
	const error = new ProtocolError(code, words, { status });
	return call.endpoint === 'auth' ? answerFormError(call, error) : answerError(call, error);
}

function nameOf(fault: Fault): string {
	if (fault.kind === 'delay') return `delay of ${fault.delay} ms`;
	return fault.kind === 'status' ? `status ${fault.status}` : 'dropped connection';
}

function codeOf(status: number): ErrorCode {
	if (status >= 500) return 'temporarily_unavailable';
	return status === 429 ? 'too_many_attempts' : 'invalid_request';
}
