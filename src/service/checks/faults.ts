import { noResponse, type WireResult } from '#wire/message.ts';
import type { Context } from '../context.ts';
import { respondFormError } from '../pages/form-error.ts';
import { respondError } from '../responses.ts';
import { ProtocolError, type ErrorCode } from '../errors.ts';
import type { InjectedFault } from '../records.ts';
import { check } from '../runner.ts';

/** How many answers of one sandbox are delayed at once: each holds a connection, and those are for all (RM-05). */
const maxDelayed = 100;

/** Spoils this answer before the service has done anything, where a fault was injected for the endpoint. */
export const injectFault = check<Context>('no fault is injected here', 'design §6', async (context) => {
	const fault = await consumeFault(context, false);
	if (fault === undefined) return undefined;
	context.note(`injected: ${nameOf(fault)}`);
	return applyFault(context, fault);
});

/** Spoils an answer whose work is done ("drop after commit"), where such a fault was injected for the endpoint. */
export async function applyPostCommitFault(context: Context, answer: WireResult): Promise<WireResult> {
	// A blacklisted address gets no response, not even a spoilt one.
	const fault = answer.kind === 'no_response' ? undefined : await consumeFault(context, true);
	if (fault === undefined) return answer;
	context.trace.push({
		name: 'no fault is injected after the work',
		section: 'design §6',
		outcome: 'responded',
		detail: `injected: ${nameOf(fault)}`,
		duration_us: 0
	});
	return (await applyFault(context, fault)) ?? answer;
}

async function consumeFault(context: Context, afterCommit: boolean): Promise<InjectedFault | undefined> {
	const matches = (fault: InjectedFault) =>
		fault.endpoint === context.endpoint &&
		fault.afterCommit === afterCommit &&
		fault.times > 0 &&
		fault.until > context.options.now();
	if (!context.sandbox.state.faults.some(matches)) return undefined;
	let taken: InjectedFault | undefined;
	await context.sandbox.updateState((world) => {
		taken = world.faults.find(matches);
		const faults = world.faults.map((fault) => (fault === taken ? { ...fault, times: fault.times - 1 } : fault));
		return { ...world, faults: faults.filter((fault) => fault.times > 0 && fault.until > context.options.now()) };
	});
	return taken;
}

async function applyFault(context: Context, fault: InjectedFault): Promise<WireResult | undefined> {
	if (fault.kind === 'drop') return noResponse;
	if (fault.kind === 'status') {
		return errorResponse(
			context,
			codeOf(fault.status),
			'This answer was spoilt on purpose: a fault is injected into this endpoint.',
			fault.status
		);
	}
	const { sandbox } = context;
	if (sandbox.delayedResponses >= maxDelayed) {
		const words = `This sandbox delays ${maxDelayed} answers on purpose already, and no more at once.`;
		return errorResponse(context, 'temporarily_unavailable', words, 503);
	}
	sandbox.delayedResponses++;
	await context.options.sleep(fault.delay).finally(() => sandbox.delayedResponses--);
	return undefined;
}

function errorResponse(context: Context, code: ErrorCode, words: string, status: number): WireResult {
	const error = new ProtocolError(code, words, { status });
	return context.endpoint === 'auth' ? respondFormError(context, error) : respondError(context, error);
}

function nameOf(fault: InjectedFault): string {
	if (fault.kind === 'delay') return `delay of ${fault.delay} ms`;
	return fault.kind === 'status' ? `status ${fault.status}` : 'dropped connection';
}

function codeOf(status: number): ErrorCode {
	if (status >= 500) return 'temporarily_unavailable';
	return status === 429 ? 'too_many_attempts' : 'invalid_request';
}
