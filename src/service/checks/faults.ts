import type { WireResult } from '#api/message.ts';
import type { Fault } from '#api/control/faults.ts';
import { check, type Check, createTraceLine, inSandboxes } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import { takeFault } from '../sandbox/faults.ts';
import type { Kind } from '../world/world.ts';
import { describeFault, faultError, faultResponse } from './fault-responses.ts';
import { type LimitedResource, rejectAsOverLimit } from './rate-limit.ts';

/** What a check of the faults saw, if none of them applies to the request. */
const noFault = 'None';

/** Applies a fault before the request is handled. */
export const injectFault = check<Context>('fault.not_injected', (context) =>
	hasFaults(context) ? inject(context) : context.note(noFault)
);

/** Applies a fault that responds as over the rate limit. It comes before the count, so the request is not counted. */
export function injectRateLimit<C extends Context>(
	limited: LimitedResource | ((context: C) => Kind)
): readonly Check<C>[] {
	return inSandboxes(hasFaults, [
		check<C>('fault.rate_limit_not_injected', async (context) => {
			const fault = await takeFault(context, 'before_count');
			if (fault === undefined) return context.note(noFault);
			context.note(describeFault(fault));
			const resource = typeof limited === 'function' ? limited(context) : limited;
			await rejectAsOverLimit(context, resource, faultError(context, fault).message);
		})
	]);
}

/** Applies a fault to the response of a request that was handled, where the sandbox has faults. */
export async function applyPostCommitFault(context: Context, result: WireResult): Promise<WireResult> {
	// A blacklisted address gets no response, not even an injected one. A preflight is no request of the application.
	if (result.kind !== 'response' || context.request.method === 'OPTIONS') return result;
	const fault = await takeFault(context, 'after_commit');
	if (fault === undefined) return result;
	context.trace.push({
		...createTraceLine('fault.not_injected_after_commit', 'responded', context.dialect.name),
		detail: describeFault(fault)
	});
	return (await faultResponse(context, fault, result)) ?? result;
}

/**
 * The fault that changes a successful response, for the trace line before that of the check that responds.
 * @param moment which response
 */
export async function takeResponseFault(
	context: Context,
	moment: 'authorization_response' | 'token_response' | 'id_token'
): Promise<Fault | undefined> {
	if (!hasFaults(context)) return undefined;
	const fault = await takeFault(context, moment);
	if (fault === undefined) return undefined;
	const line = createTraceLine('fault.response_changed', 'passed', context.dialect.name);
	context.trace.splice(-1, 0, { ...line, detail: describeFault(fault) });
	return fault;
}

/** Whether faults are active in the sandbox of a request. Without any, its trace does not mention the special ones. */
export function hasFaults({ sandbox }: Pick<Context, 'sandbox'>): boolean {
	return sandbox.state.faults.length > 0;
}

async function inject(context: Context): Promise<WireResult | undefined> {
	const fault: Fault | undefined = await takeFault(context, 'before_checks');
	if (fault === undefined) {
		context.note(noFault);
		return undefined;
	}
	context.note(describeFault(fault));
	return faultResponse(context, fault);
}
