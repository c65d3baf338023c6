import type { Ticket } from '#api/control/tickets.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import type { Condition, Evidence } from '../evaluation/condition.ts';
import { checkOf, readCharacter } from '#evidence/exchanges.ts';

const isBan = (entry: TrafficEntry) => checkOf(entry, 'rate_limit.not_exceeded')?.cause === 'now_blacklisted';

/** A fault can leave a request without a response too. */
const isIgnored = (entry: TrafficEntry) =>
	entry.response === null && entry.trace.at(-1)?.id === 'address.not_blacklisted';

/** The first exchange of a blacklisted address that matches, after the first ban of that address. */
function afterBan(evidence: Evidence, test: (entry: TrafficEntry) => boolean): TrafficEntry | undefined {
	const bans = evidence.entries.filter(isBan);
	return evidence.entries.find(
		(entry) => test(entry) && bans.some(({ address, seq }) => address === entry.address && seq < entry.seq)
	);
}

/** The tickets of blacklisted addresses, filed while they were blacklisted. */
function ticketsOf({ entries, tickets }: Evidence): { ticket: Ticket; ban: TrafficEntry }[] {
	const bans = entries.filter(isBan);
	return tickets.flatMap((ticket) => {
		const ban = bans.find(({ address }) => address === ticket.address);
		const parts = [ticket.reason, ticket.resolution];
		const isComplete = parts.every((part) => part.trim() !== '') && ticket.result.includes('"blacklisted"');
		return ban !== undefined && isComplete ? [{ ticket, ban }] : [];
	});
}

export const conditions: readonly Condition[] = [
	signedIn,
	{
		id: 'blacklisted',
		label: 'The address was blacklisted',
		unmet: 'No address is blacklisted yet. Send requests over the limit until 30 of them were rejected.',
		shownBy: ({ entries }) => {
			const found = entries.find(isBan);
			return found && [found];
		}
	},
	{
		id: 'no_response',
		label: 'A later request got no response',
		unmet: 'The address is blacklisted. Send one more request, to any endpoint, and see what comes back.',
		shownBy: (evidence) => {
			const found = afterBan(evidence, isIgnored);
			return found && [found];
		}
	},
	{
		id: 'status_read',
		label: 'The rate limiting status was read from that address',
		unmet: 'The address gets no response. Request the one path that still responds: /ratelimiting.',
		shownBy: (evidence) => {
			const found = afterBan(evidence, (entry) => entry.endpoint === 'ratelimiting' && entry.response?.status === 200);
			return found && [found];
		}
	},
	{
		id: 'ticket_filed',
		label: 'A support ticket was filed from that address',
		unmet: 'You know why there is no response. File a support ticket with the reason and the fix.',
		shownBy: (evidence) =>
			ticketsOf(evidence)[0] &&
			ticketsOf(evidence)
				.slice(0, 1)
				.map(({ ban }) => ban)
	},
	{
		id: 'unblocked',
		label: 'The ticket was accepted',
		unmet: 'The ticket has not been accepted. Decide it as the owner of the sandbox: unblock the address.',
		shownBy: (evidence) => {
			const found = ticketsOf(evidence).find(({ ticket }) => ticket.state === 'unblocked');
			return found && [found.ban];
		}
	},
	{
		id: 'reads_again',
		label: 'The application reads characters again',
		unmet: 'The address is unblocked. Read one character from it.',
		shownBy: (evidence) => {
			const found = afterBan(evidence, readCharacter);
			return found && [found];
		}
	}
];
