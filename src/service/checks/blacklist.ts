import { silence } from '#wire/message.ts';
import type { Call } from '../context.ts';
import { step } from '../runner.ts';

/** A blacklisted address gets no response to any call (specification, sections 3.3 and 7). */
export const refuseBlacklisted = step<Call>('the address is not blacklisted', '3.3', async (call) => {
	const ban = await call.sandbox.area.get('ban', call.address);
	call.saw(ban === undefined ? call.address : `${call.address} is blacklisted: ${ban.reason}`);
	return ban === undefined ? undefined : silence;
});

/** Blacklists an address until a person lifts it. */
export async function blacklist(call: Call, reason: string): Promise<void> {
	const since = call.sandbox.seconds();
	await call.sandbox.area.update('ban', call.address, (ban) => ban ?? { since, reason });
}
