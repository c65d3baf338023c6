import type { BlacklistEntry, Ticket } from '../records.ts';
import { displayDate } from '../time.ts';
import { html, type Html } from './html.ts';
import { hiddenFields } from './sign-in-form.ts';

/** What the person who filed a ticket sees of it. */
export type TicketView = Pick<Ticket, 'state' | 'created_at'> & { readonly id: string };

export type SupportView = {
	readonly address: string;
	readonly blacklistEntry: BlacklistEntry | undefined;
	readonly tickets: readonly TicketView[];
	/** What was typed, where something is still missing. */
	readonly draft:
		| ({ readonly problem: string } & Partial<Record<'result' | 'reason' | 'resolution', string | undefined>>)
		| undefined;
	readonly action: string;
	/** Where the address finds out how it stands: `GET /ratelimiting`. */
	readonly statusUrl: string;
	readonly fields: Readonly<Record<string, string>>;
};

const outcomes: Record<Ticket['state'], string> = {
	open: 'waiting for an answer',
	unblocked: 'the blacklisting was lifted',
	refused: 'refused: the blacklisting stays'
};

/** The form of a support ticket with its three parts (specification, section 8.8), and the state of earlier ones. */
export function supportContent(view: SupportView): Html {
	const { address, blacklistEntry, draft } = view;
	const waiting = view.tickets.filter(({ state }) => state === 'open');
	const open = waiting.toSorted((one, other) => one.created_at - other.created_at).at(-1);
	return html`<h1>Support ticket</h1>
		${
			blacklistEntry === undefined
				? html`<p class="notice ok">Your address <code>${address}</code> is not blacklisted.</p>`
				: html`<p class="notice error">
						Your address <code>${address}</code> has been blacklisted since ${displayDate(blacklistEntry.since)}: ${blacklistEntry.reason}.
					</p>`
		}
		${open === undefined ? undefined : html`<p class="notice"><strong>Your ticket <code>${open.id}</code> has arrived.</strong> It waits for an answer, which will appear on this page.</p>`}
		<p class="lead">
			If you think that a blacklisting was wrong, say so here: copy what
			<a href="${view.statusUrl}"><code>GET /ratelimiting</code></a> answers into the first field. Whoever runs this service
			lifts it or refuses.
		</p>
		${draft === undefined ? undefined : html`<p class="notice error" role="alert">${draft.problem}</p>`}
		<form class="stack" method="post" action="${view.action}">
			${hiddenFields(view.fields)}
			<label
				><span>Result of <code>GET /ratelimiting</code></span
				><textarea name="result" rows="5" maxlength="4000" required>${draft?.result ?? ''}</textarea>
			</label>
			<label
				><span>Why the blacklisting was wrong</span
				><textarea name="reason" rows="4" maxlength="4000" required>${draft?.reason ?? ''}</textarea>
			</label>
			<label
				><span>What you have fixed</span
				><textarea name="resolution" rows="4" maxlength="4000" required>${draft?.resolution ?? ''}</textarea>
			</label>
			<div class="actions"><button class="primary">Send</button></div>
		</form>
		${view.tickets.length === 0 ? undefined : ticketTable(view.tickets)}`;
}

function ticketTable(tickets: readonly TicketView[]): Html {
	return html`<h2>Tickets of this address</h2>
		<table>
			<thead>
				<tr>
					<th scope="col">Ticket</th>
					<th scope="col">Sent</th>
					<th scope="col">State</th>
				</tr>
			</thead>
			<tbody>
				${tickets.map(
					(ticket) =>
						html`<tr>
							<td><code>${ticket.id}</code></td>
							<td>${displayDate(ticket.created_at)}</td>
							<td>${outcomes[ticket.state]}</td>
						</tr>`
				)}
			</tbody>
		</table>`;
}
