import {
	blacklistApi,
	type NewTicket,
	type TicketDecision,
	type Tickets,
	ticketsApi,
	type Ticket as TicketView
} from '#api/control/tickets.ts';
import { requireSameOrigin } from '../access/cookies.ts';
import { isVirtual } from '../address/network-address.ts';
import { base64url } from '../core/encoding.ts';
import { sanitizeLines } from '#lib/plain-text.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import type { Ticket } from '../sandbox/records.ts';
import { readRateLimitStatus } from '../resource/ratelimiting.ts';
import { findAccess } from '../access/control-access.ts';
import { type ControlContext, implement } from './control-endpoint.ts';
import { limitedIn, windowKey } from '../checks/rate-limit.ts';
import type { Context } from '../core/context.ts';

export const blacklistEndpoints = implement(blacklistApi, {
	'GET /control/blacklist': async ({ sandbox }) => {
		const entries = await sandbox.store.list('blacklist_entry');
		return { blacklist: entries.map(([address, { since, reason }]) => ({ address, since, reason })) };
	},
	'DELETE /control/blacklist/{+address}': async (context, { path: { address } }) => {
		if (!(await unblock(context, address))) throw new ProtocolError('not_found', 'This address is not blacklisted.');
		return { unblocked: address };
	}
});

/**
 * Unblocks an address. Resets its counters too, or the next rejected request would blacklist it again.
 * @returns whether it was blacklisted
 */
async function unblock(context: Context, address: string): Promise<boolean> {
	const entry = await context.store.delete('blacklist_entry', address);
	if (entry === undefined) return false;
	for (const resource of limitedIn(context))
		await context.store.delete('rate_limit_window', windowKey(resource, address));
	return true;
}

/** The longest part of a ticket, in characters. */
const maxPart = 4000;
/** How many open tickets an address may have, and a client with all virtual addresses together, since it can choose among them. */
const maxOpen = 5;
const maxOpenVirtual = 20;
/** How many tickets one response lists. */
const maxListed = 100;
/** How long a decided ticket is kept, in milliseconds of the sandbox clock. */
const decidedLifetime = 7 * 24 * 60 * 60 * 1000;

/** Support tickets (specification, section 8.8). */
export const ticketsEndpoints = implement(ticketsApi, {
	'GET /control/tickets': listTickets,
	'POST /control/tickets': fileTicket,
	'POST /control/tickets/{id}': decideTicket
});

/**
 * Those of the caller's address, or all for the owner of the sandbox (specification, section 8.8). `?after=<id>`
 * continues behind a ticket. The ticket that has waited longest is first, so that a flood of new ones hides none.
 */
async function listTickets(context: ControlContext): Promise<Tickets> {
	const { clientAddress: address, sandbox } = context;
	const can_decide = (await findAccess(context)) !== undefined;
	const entry = await sandbox.store.get('blacklist_entry', address);
	const all = await sandbox.store.list('ticket');
	const visible = can_decide ? all : all.filter(([, ticket]) => ticket.address === address);
	const isOpen = ([, ticket]: (typeof all)[number]) => ticket.state === 'open';
	const sorted = [...visible.filter(isOpen), ...visible.filter((ticket) => !isOpen(ticket)).reverse()];
	const after = new FormFields(context.query).get('after');
	// Behind a ticket that is not there any more, the list begins again.
	const first = after === undefined ? 0 : sorted.findIndex(([id]) => id === after) + 1;
	return {
		address,
		blacklisted: entry === undefined ? null : { since: entry.since, reason: entry.reason },
		can_decide,
		tickets: sorted.slice(first, first + maxListed).map(([id, ticket]) => viewOf(id, ticket)),
		more: Math.max(0, sorted.length - first - maxListed)
	};
}

/** Files a ticket. Also for a blacklisted address. The rate limit status is attached. */
async function fileTicket(context: ControlContext, input: { readonly body: NewTicket }): Promise<TicketView> {
	requireSameOrigin(context);
	const { reason, resolution } = input.body;
	const { clientAddress: address, sandbox } = context;
	const { status } = await readRateLimitStatus(context);
	const id = base64url(context.options.random(9));
	const ticket: Ticket = {
		address,
		result: sanitizeLines(JSON.stringify(status, undefined, 2), maxPart),
		reason: sanitizeLines(reason, maxPart),
		resolution: sanitizeLines(resolution, maxPart),
		state: 'open',
		created_at: sandbox.seconds(),
		createdBy: context.networkAddress
	};
	await sandbox.store.update('ticket', id, () => ticket);
	// Counted afterwards, so that parallel requests cannot exceed the limit.
	const open = (await sandbox.store.list('ticket')).filter(([, { state }]) => state === 'open');
	const own = open.filter(([, ticket]) => ticket.address === address);
	const virtual = isVirtual(address)
		? open.filter(([, ticket]) => isVirtual(ticket.address) && ticket.createdBy === context.networkAddress)
		: [];
	const place = (list: typeof open) => list.findIndex(([key]) => key === id);
	if (place(own) >= maxOpen || place(virtual) >= maxOpenVirtual) {
		await sandbox.store.delete('ticket', id);
		const whose =
			place(own) >= maxOpen ? `Your address has ${maxOpen}` : `Your virtual addresses have ${maxOpenVirtual}`;
		throw new ProtocolError(
			'limit_reached',
			`${whose} open tickets. Wait until the owner of the sandbox has decided one.`
		);
	}
	return viewOf(id, ticket);
}

/** Replies to a ticket, decides it, or both. A ticket is decided once. */
async function decideTicket(
	context: ControlContext,
	{ body: { decision, reply }, path: { id } }: { readonly body: TicketDecision; readonly path: { readonly id: string } }
): Promise<TicketView> {
	if (decision === undefined && reply === undefined)
		throw new ProtocolError('invalid_request', 'Send a decision, a reply, or both.');
	const decided = decision === 'unblock' ? 'unblocked' : 'rejected';
	const replied = reply === undefined ? {} : { reply: sanitizeLines(reply, maxPart) };
	const expires = context.now() + decidedLifetime;
	let before: Ticket | undefined;
	const ticket = await context.store.update('ticket', id, (now) => {
		before = now;
		if (now === undefined || decision === undefined) return now && { ...now, ...replied };
		// Decided tickets have one owner together, so that they are evicted before those of an address with few open ones.
		if (now.state === 'open') return { ...withoutOwner(now), ...replied, state: decided, expires };
		return now.state === decided ? { ...now, ...replied } : now;
	});
	if (before === undefined || ticket === undefined)
		throw new ProtocolError('not_found', 'There is no ticket with this id.');
	if (decision !== undefined && ticket.state !== decided)
		throw new ProtocolError('conflict', `This ticket was already decided: ${ticket.state}.`);
	if (decision === 'unblock') await unblock(context, ticket.address);
	return viewOf(id, ticket);
}

function withoutOwner({ createdBy: _, ...ticket }: Ticket): Ticket {
	return ticket;
}

function viewOf(id: string, { address, result, reason, resolution, state, reply, created_at }: Ticket): TicketView {
	const replied = reply === undefined ? {} : { reply };
	return { id, address, result, reason, resolution, state, ...replied, created_at };
}
