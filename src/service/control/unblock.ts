import { limitedResources, windowKey } from '../checks/rate-limit.ts';
import type { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';

/** How long a decided ticket is kept, in milliseconds of the sandbox clock. */
const decidedLifetime = 7 * 24 * 60 * 60 * 1000;

/**
 * Decides a ticket: unblocks its address, or refuses to.
 * @throws ProtocolError `not_found`, and `conflict` if it was decided differently before
 */
export async function decide(context: Context, id: string, decision: 'unblock' | 'refuse') {
	const decided = decision === 'unblock' ? 'unblocked' : 'refused';
	const ticket = await context.sandbox.store.update('ticket', id, (now) =>
		now?.state === 'open' ? { ...now, state: decided, expires: context.now() + decidedLifetime } : now
	);
	if (ticket === undefined) throw new ProtocolError('not_found', 'There is no ticket with this id.');
	if (ticket.state !== decided)
		throw new ProtocolError('conflict', `This ticket was already decided: ${ticket.state}.`);
	if (decided === 'unblocked') await unblock(context, ticket.address);
	return { id, ...ticket };
}

/**
 * Unblocks an address. Resets its counters too, or the next rejected request would blacklist it again.
 * @returns whether it was blacklisted
 */
export async function unblock(context: Context, address: string): Promise<boolean> {
	const entry = await context.sandbox.store.delete('blacklist_entry', address);
	if (entry === undefined) return false;
	for (const resource of limitedResources)
		await context.sandbox.store.delete('rate_limit_window', windowKey(resource, address));
	return true;
}
