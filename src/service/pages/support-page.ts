import type { BlacklistEntry, Ticket } from '../records.ts';
import { displayDate } from '../time.ts';
import { html, type Html } from './html.ts';
import { hiddenFields } from './sign-in-form.ts';

/** What the client that filed a ticket sees of it. */
export type TicketView = Pick<Ticket, 'state' | 'created_at'> & { readonly id: string };

export type SupportView = {
	readonly address: string;
	readonly blacklistEntry: BlacklistEntry | undefined;
	readonly tickets: readonly TicketView[];
	/** The input, if a field is missing. */
	readonly draft:
		| ({ readonly problem: string } & Partial<Record<'result' | 'reason' | 'resolution', string | undefined>>)
		| undefined;
	readonly action: string;
	/** The URL of `GET /ratelimiting`. */
	readonly statusUrl: string;
	readonly fields: Readonly<Record<string, string>>;
};

const outcomes: Record<Ticket['state'], string> = {
	open: 'Open',
	unblocked: 'Approved: the address was unblocked',
	refused: 'Rejected: the address stays blacklisted'
};

/** The form of a support ticket (specification, section 8.8), and the status of earlier tickets. */
export function supportContent(view: SupportView): Html {
	const { address, blacklistEntry, draft } = view;
	const waiting = view.tickets.filter(({ state }) => state === 'open');
	const open = waiting.toSorted((one, other) => one.created_at - other.created_at).at(-1);
	return html`<h1>Support ticket</h1>
		${
			blacklistEntry === undefined
				? html`<p class="notice ok">Your address <code>${address}</code> is not blacklisted.</p>`
				: html`<p class="notice error">
						Your address <code>${address}</code> has been blacklisted since ${displayDate(blacklistEntry.since)}. Reason: ${blacklistEntry.reason}.
					</p>`
		}
		${open === undefined ? undefined : html`<p class="notice"><strong>Ticket <code>${open.id}</code> submitted.</strong> Its status appears below.</p>`}
		<p class="lead">
			Is your address blacklisted by mistake? Paste the JSON response of
			<a href="${view.statusUrl}"><code>GET /ratelimiting</code></a> below. An administrator will review your ticket.
		</p>
		${draft === undefined ? undefined : html`<p class="notice error" role="alert">${draft.problem}</p>`}
		<form class="stack" method="post" action="${view.action}">
			${hiddenFields(view.fields)}
			<label
				><span>Rate limit status (JSON response of <code>GET /ratelimiting</code>)</span
				><textarea name="result" rows="5" maxlength="4000" required>${draft?.result ?? ''}</textarea>
			</label>
			<label
				><span>Why should it be lifted?</span
				><textarea name="reason" rows="4" maxlength="4000" required>${draft?.reason ?? ''}</textarea>
			</label>
			<label
				><span>What did you change?</span
				><textarea name="resolution" rows="4" maxlength="4000" required>${draft?.resolution ?? ''}</textarea>
			</label>
			<div class="actions"><button class="primary">Submit ticket</button></div>
		</form>
		${view.tickets.length === 0 ? undefined : ticketTable(view.tickets)}`;
}

function ticketTable(tickets: readonly TicketView[]): Html {
	return html`<h2>Your tickets</h2>
		<table>
			<thead>
				<tr>
					<th scope="col">Ticket</th>
					<th scope="col">Submitted</th>
					<th scope="col">Status</th>
				</tr>
			</thead>
			<tbody>
				${tickets.map(
					(ticket) =>
						html`<tr>
							<td><code>${ticket.id}</code></td>
							<td data-label="Submitted">${displayDate(ticket.created_at)}</td>
							<td data-label="Status">${outcomes[ticket.state]}</td>
						</tr>`
				)}
			</tbody>
		</table>`;
}
