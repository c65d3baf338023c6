import { ProtocolError } from '../errors.ts';
import { limitedResources, windowKey } from '../checks/rate-limit.ts';
import type { Call } from '../context.ts';
import { control } from './control-endpoint.ts';
import { ticketDecision } from './schemas.ts';

/** `GET blacklist`: who is blacklisted, since when and why. */
export const listBans = control(async (call) => {
	const bans = await call.sandbox.area.list('ban');
	return { blacklist: bans.map(([address, ban]) => ({ address, ...ban })) };
});

/** `DELETE blacklist/<address>`: takes an address off the blacklist; its counts start anew. */
export const liftBan = control(async (call) => {
	const address = call.segments.slice(1).join('/');
	if (!(await lift(call, address))) throw new ProtocolError('not_found', 'This address is not blacklisted.');
	return { lifted: address };
});

/** `GET tickets`: the support tickets (specification, section 8.8). */
export const listTickets = control(async (call) => {
	const tickets = await call.sandbox.area.list('ticket');
	return { tickets: tickets.map(([id, ticket]) => ({ id, ...ticket })) };
});

/**
 * `POST tickets/<id>`: lifts the blacklisting that a ticket is about, or refuses. Another decision than the first is
 * `conflict`.
 */
export const decideTicket = control(async (call) => {
	const decided = call.read(ticketDecision).decision === 'lift' ? 'lifted' : 'refused';
	const id = call.segments[1] ?? '';
	const ticket = await call.sandbox.area.update('ticket', id, (now) =>
		now?.state === 'open' ? { ...now, state: decided } : now
	);
	if (ticket === undefined) throw new ProtocolError('not_found', 'There is no ticket with this id.');
	if (ticket.state !== decided) throw new ProtocolError('conflict', `This ticket was ${ticket.state} already.`);
	if (decided === 'lifted') await lift(call, ticket.address);
	return { id, ...ticket };
});

/** Lifts a blacklisting; the counts that led to it start anew, or the next refused call would bring it back. */
async function lift(call: Call, address: string): Promise<boolean> {
	const ban = await call.sandbox.area.delete('ban', address);
	if (ban === undefined) return false;
	for (const resource of limitedResources) await call.sandbox.area.delete('window', windowKey(resource, address));
	return true;
}
