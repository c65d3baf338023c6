import { noResponse, type WireResult } from '#wire/message.ts';
import { check } from '../check.ts';
import type { Context } from '../context.ts';
import { ProtocolError, type ErrorCode } from '../errors.ts';
import { respondFormError } from '../pages/form-error.ts';
import type { InjectedFault } from '../records.ts';
import { respondError } from '../responses.ts';

/** How many responses of a sandbox are delayed at a time. Each occupies a connection, which all sandboxes share (RM-05). */
const maxDelayed = 100;

/** Applies an injected fault before the request is handled. */
export const injectFault = check<Context>('fault.not_injected', 'No fault is injected', '', async (context) => {
	const fault = await consumeFault(context, false);
	if (fault === undefined) return undefined;
	context.note(`Injected: ${describe(fault)}`);
	return applyFault(context, fault);
});

/** Applies an injected fault to the response of a request that was handled. */
export async function applyPostCommitFault(context: Context, result: WireResult): Promise<WireResult> {
	// A blacklisted address gets no response, not even an injected one.
	const fault = result.kind === 'no_response' ? undefined : await consumeFault(context, true);
	if (fault === undefined) return result;
	context.trace.push({
		id: 'fault.not_injected_after_commit',
		name: 'No fault is injected after the request was handled',
		section: '',
		outcome: 'responded',
		detail: `Injected: ${describe(fault)}`,
		duration_us: 0
	});
	return (await applyFault(context, fault)) ?? result;
}

async function consumeFault(context: Context, afterCommit: boolean): Promise<InjectedFault | undefined> {
	const matches = (fault: InjectedFault) =>
		fault.endpoint === context.route.name &&
		fault.afterCommit === afterCommit &&
		fault.times > 0 &&
		fault.until > context.options.now();
	if (!context.sandbox.state.faults.some(matches)) return undefined;
	let consumed: InjectedFault | undefined;
	await context.sandbox.updateState((state) => {
		consumed = state.faults.find(matches);
		const faults = state.faults.map((fault) => (fault === consumed ? { ...fault, times: fault.times - 1 } : fault));
		return { ...state, faults: faults.filter((fault) => fault.times > 0 && fault.until > context.options.now()) };
	});
	return consumed;
}

async function applyFault(context: Context, fault: InjectedFault): Promise<WireResult | undefined> {
	if (fault.kind === 'drop') return noResponse;
	if (fault.kind === 'status') {
		const description = 'Simulated error: a fault is active for this endpoint. DELETE /control/faults removes it.';
		return errorResponse(context, codeOf(fault.status), description, fault.status);
	}
	const { sandbox } = context;
	if (sandbox.delayedResponses >= maxDelayed) {
		const description = `This sandbox already delays ${maxDelayed} responses. Remove the fault, or try again later.`;
		return errorResponse(context, 'temporarily_unavailable', description, 503);
	}
	sandbox.delayedResponses++;
	await context.options.sleep(fault.delay).finally(() => sandbox.delayedResponses--);
	return undefined;
}

function errorResponse(context: Context, code: ErrorCode, description: string, status: number): WireResult {
	const error = new ProtocolError(code, description, { status });
	return context.route.isPage ? respondFormError(context, error) : respondError(context, error);
}

function describe(fault: InjectedFault): string {
	if (fault.kind === 'delay') return `delay of ${fault.delay} ms`;
	return fault.kind === 'status' ? `status ${fault.status}` : 'dropped connection';
}

function codeOf(status: number): ErrorCode {
	if (status >= 500) return 'temporarily_unavailable';
	return status === 429 ? 'too_many_attempts' : 'invalid_request';
}
