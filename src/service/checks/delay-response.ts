import type { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';

/** How many responses of a sandbox are delayed at a time. Each occupies a connection, which all sandboxes share (RM-05). */
const maxDelayed = 100;

/**
 * Delays the response of a request.
 * @throws ProtocolError `temporarily_unavailable` at once where the sandbox delays too many already
 */
export async function delayResponse({ sandbox, options }: Context, milliseconds: number): Promise<void> {
	if (sandbox.delayedResponses >= maxDelayed) {
		const description = `This sandbox already delays ${maxDelayed} responses. Remove faults, or try again later.`;
		throw new ProtocolError('temporarily_unavailable', description);
	}
	sandbox.delayedResponses++;
	await options.sleep(milliseconds).finally(() => sandbox.delayedResponses--);
}
