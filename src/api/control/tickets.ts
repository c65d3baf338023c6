import * as v from 'valibot';
import { declare } from '../declare.ts';
import { text } from './fields.ts';

const part = v.pipe(v.string(), v.trim(), text(4000));

/** A support ticket (specification, section 8.8). */
export const ticket = v.object({
	id: v.string(),
	address: v.string(),
	/** The three parts: the response of `GET /ratelimiting`, the reason and the fix. */
	result: v.string(),
	reason: v.string(),
	resolution: v.string(),
	state: v.picklist(['open', 'unblocked', 'rejected']),
	/** What the owner of the sandbox replied. */
	reply: v.optional(v.string()),
	/** Unix seconds, sandbox clock. */
	created_at: v.number()
});

/** `GET tickets`: those of the caller's address, or all for the owner of the sandbox. Open ones first, oldest first, then the others, newest first. */
export const tickets = v.object({
	/** The address that the caller's requests count for. */
	address: v.string(),
	/** Since when and why the address is blacklisted. */
	blacklisted: v.nullable(v.object({ since: v.number(), reason: v.string() })),
	can_decide: v.boolean(),
	/** At most 100. */
	tickets: v.array(ticket),
	/** How many tickets follow the last one. */
	more: v.number()
});

/** The query of `GET tickets`. `after`: the id of the last ticket that the caller has. */
export const ticketsQuery = v.object({ after: v.optional(v.string()) });

/** `POST tickets`. The service attaches the rate limits of the address. */
export const newTicket = v.strictObject({ reason: part, resolution: part });

/** `POST tickets/<id>`: a reply, a decision, or both. */
export const ticketDecision = v.strictObject({
	decision: v.exactOptional(v.picklist(['unblock', 'reject'])),
	reply: v.exactOptional(part)
});

export const ticketsApi = declare({
	'GET /control/tickets': {
		id: 'listTickets',
		tag: 'Blacklist and tickets',
		access: 'everybody',
		summary: 'List support tickets',
		description:
			'Returns the support tickets of the address that sends the request. With access, all of them. Open ones come first, oldest first, then decided ones, newest first. At most 100: `?after=ID` returns those behind a ticket.',
		query: ticketsQuery,
		responses: { 200: { description: 'The tickets, open ones first.', json: tickets } },
		errors: { 403: 'The request was sent by a page of another site.' }
	},
	'POST /control/tickets/{id}': {
		id: 'decideTicket',
		tag: 'Blacklist and tickets',
		summary: 'Decide a ticket',
		description:
			'Replies to a ticket, decides it, or both: `{"decision","reply"}`, with `decision` `unblock` or `reject`. The traffic log records it.',
		isLogged: true,
		body: { schema: ticketDecision },
		responses: { 200: { description: 'The ticket.', json: ticket } },
		errors: { 404: 'There is no such ticket.', 409: 'The ticket was already decided.' }
	},
	'POST /control/tickets': {
		id: 'fileTicket',
		tag: 'Blacklist and tickets',
		access: 'everybody',
		summary: 'File a ticket',
		description:
			'Files a ticket: `{"reason","resolution"}`. Returns 201. The service attaches the response of `GET /ratelimiting` as `result` (§ 8.8). A blacklisted address can also file one. The traffic log records it.',
		isLogged: true,
		body: { schema: newTicket },
		responses: { 201: { description: 'The ticket.', json: ticket } },
		errors: {
			403: 'The request was sent by a page of another site.',
			409: 'The address has too many open tickets, or is not blacklisted.'
		}
	}
});

export type Ticket = v.InferOutput<typeof ticket>;
export type Tickets = v.InferOutput<typeof tickets>;
export type NewTicket = v.InferInput<typeof newTicket>;
export type TicketDecision = v.InferInput<typeof ticketDecision>;

/** `GET blacklist`. */
export const blacklist = v.object({
	blacklist: v.array(
		v.object({
			address: v.string(),
			/** Unix seconds, sandbox clock. */
			since: v.number(),
			reason: v.string()
		})
	)
});

/** `DELETE blacklist/<address>`. */
export const unblocked = v.object({ unblocked: v.string() });

export const blacklistApi = declare({
	'GET /control/blacklist': {
		id: 'listBlacklist',
		tag: 'Blacklist and tickets',
		summary: 'List blacklisted addresses',
		description: 'Lists the blacklist entries: `address`, `since` and `reason`.',
		responses: { 200: { description: 'The blacklist.', json: blacklist } }
	},
	'DELETE /control/blacklist/{+address}': {
		id: 'unblockAddress',
		tag: 'Blacklist and tickets',
		summary: 'Unblock an address',
		description: 'Unblocks an address, and resets its limits.',
		destroys: true,
		responses: { 200: { description: 'The address is unblocked.', json: unblocked } },
		errors: { 404: 'The address is not blacklisted.' }
	}
});

export type Blacklist = v.InferOutput<typeof blacklist>;
