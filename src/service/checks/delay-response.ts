import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';

/**
 * Delays the response of a request.
 * @throws ProtocolError `temporarily_unavailable` at once where the sandbox delays too many already
 */
export async function delayResponse(context: Context, milliseconds: number): Promise<void> {
	const { options, networkAddress } = context;
	const { delays } = context.sandbox;
	if (!delays.take(networkAddress)) {
		context.isSimulated = true;
		const description = `This sandbox already delays ${delays.maxPerAddress} responses or more. Try again later, or delete the fault.`;
		throw new ProtocolError('temporarily_unavailable', description, { cause: 'too_many_delayed' });
	}
	const timer = options.timer ?? options.now;
	const begin = timer();
	await options.sleep(milliseconds).finally(() => delays.release(networkAddress));
	context.delayed += timer() - begin;
}
