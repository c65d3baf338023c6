import type { TrafficEntry } from '#api/control/traffic.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import type { Condition, Context } from '../evaluation/condition.ts';
import { checkOf, readCharacter, succeeded } from '#evidence/exchanges.ts';

const isBan = (entry: TrafficEntry) => checkOf(entry, 'rate_limit.not_exceeded')?.cause === 'now_blacklisted';

/** A fault can leave a request without a response too. */
const isIgnored = (entry: TrafficEntry) =>
	entry.response === null && entry.trace.at(-1)?.id === 'address.not_blacklisted';

/** Whether the address of a request was blacklisted before. */
const isBanned = ({ address }: TrafficEntry, { before }: Pick<Context, 'before'>) =>
	before.some((entry) => isBan(entry) && entry.address === address);

/** A successful request to the tickets: `/control/tickets`, or `/control/tickets/` with an id. */
const isTicketRequest = (entry: TrafficEntry, id: string) =>
	entry.endpoint === 'control' &&
	entry.request.method === 'POST' &&
	succeeded(entry) &&
	entry.request.target.endsWith(`/control/tickets${id}`);

/** The ticket that was filed from an address while it was blacklisted. */
const isFiled = (entry: TrafficEntry, context: Pick<Context, 'before'>) =>
	isTicketRequest(entry, '') && isBanned(entry, context);

/** The id of the ticket that an exchange filed. */
const idOf = ({ response }: TrafficEntry) => /"id": ?"([^"]+)"/.exec(response?.body ?? '')?.[1] ?? '';

/** The decision about a ticket that was filed before. */
const isDecision = (entry: TrafficEntry, { before }: Context, decision: 'unblock' | 'reject') =>
	new RegExp(`"decision": ?"${decision}"`).test(entry.request.body) &&
	before.some((one, at) => isFiled(one, { before: before.slice(0, at) }) && isTicketRequest(entry, `/${idOf(one)}`));

export const conditions: readonly Condition[] = [
	signedIn,
	{
		id: 'blacklisted',
		label: 'The address was blacklisted',
		unmet: 'No address is blacklisted yet. Send requests over the limit until 30 of them were rejected.',
		shows: isBan
	},
	{
		id: 'no_response',
		label: 'A later request got no response',
		unmet: 'The address is blacklisted. Send one more request, to any endpoint, and see what comes back.',
		shows: (entry, context) => isIgnored(entry) && isBanned(entry, context)
	},
	{
		id: 'status_read',
		label: 'The rate limiting status was read from that address',
		unmet: 'The address gets no response. Request the one path that still responds: /ratelimiting.',
		shows: (entry, context) =>
			entry.endpoint === 'ratelimiting' && entry.response?.status === 200 && isBanned(entry, context)
	},
	{
		id: 'ticket_filed',
		label: 'A support ticket was filed from that address',
		unmet: 'You know why there is no response. File a support ticket with the reason and the fix.',
		shows: isFiled
	},
	{
		id: 'unblocked',
		label: 'The ticket was accepted',
		unmet: 'The ticket has not been accepted. Decide it as the owner of the sandbox: unblock the address.',
		shows: (entry, context) => isDecision(entry, context, 'unblock'),
		why: (entry, context) =>
			isDecision(entry, context, 'reject')
				? 'You rejected the ticket, so the address stays blocked. File another ticket, then unblock it.'
				: undefined
	},
	{
		id: 'reads_again',
		label: 'The application reads characters again',
		unmet: 'The address is unblocked. Read one character from it.',
		shows: (entry, context) => readCharacter(entry) && isBanned(entry, context)
	}
];
