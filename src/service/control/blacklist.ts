import { ProtocolError } from '../errors.ts';
import { limitedResources, windowKey } from '../checks/rate-limit.ts';
import type { Context } from '../context.ts';
import { protectedEndpoint } from './control-endpoint.ts';
import { ticketDecision } from './schemas.ts';

/** How long a decided ticket is kept, in milliseconds of the sandbox clock. */
const decidedLifetime = 7 * 24 * 60 * 60 * 1000;

/** `GET blacklist`: who is blacklisted, since when and why. */
export const listBlacklist = protectedEndpoint(async (context) => {
	const entries = await context.sandbox.store.list('blacklist_entry');
	return { blacklist: entries.map(([address, entry]) => ({ address, ...entry })) };
});

/** `DELETE blacklist/<address>`: unblocks an address and resets its counters. */
export const unblockAddress = protectedEndpoint(async (context) => {
	const address = context.segments.slice(1).join('/');
	if (!(await unblock(context, address))) throw new ProtocolError('not_found', 'This address is not blacklisted.');
	return { unblocked: address };
});

/** `GET tickets`: the support tickets (specification, section 8.8). */
export const listTickets = protectedEndpoint(async (context) => {
	const tickets = await context.sandbox.store.list('ticket');
	return { tickets: tickets.map(([id, ticket]) => ({ id, ...ticket })) };
});

/** `POST tickets/<id>`: decides a ticket, see `decide`. */
export const decideTicket = protectedEndpoint((context) =>
	decide(context, context.segments[1] ?? '', context.read(ticketDecision).decision)
);

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

/** Unblocks an address. Resets its counters too, or the next rejected request would blacklist it again. */
async function unblock(context: Context, address: string): Promise<boolean> {
	const entry = await context.sandbox.store.delete('blacklist_entry', address);
	if (entry === undefined) return false;
	for (const resource of limitedResources)
		await context.sandbox.store.delete('rate_limit_window', windowKey(resource, address));
	return true;
}
