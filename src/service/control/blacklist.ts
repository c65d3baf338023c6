import { ProtocolError } from '../errors.ts';
import { protectedEndpoint } from './control-endpoint.ts';
import { ticketDecision } from './schemas.ts';
import { decide, unblock } from './unblock.ts';

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
