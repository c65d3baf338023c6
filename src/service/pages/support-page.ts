import type { BlacklistEntry, Ticket } from '../records.ts';
import { displayDate } from '../time.ts';
import { hiddenFields, notice, table, type HiddenFields } from './elements.ts';
import { html, type Html } from './html.ts';
import { blacklistedNotice } from './ratelimiting-page.ts';

/** A ticket with its id. */
export type TicketView = Ticket & { readonly id: string };

/** The three parts of a ticket, as far as they are filled in. */
export type TicketDraft = Partial<Record<'result' | 'reason' | 'resolution', string | undefined>>;

export type SupportView = {
	readonly address: string;
	readonly blacklistEntry: BlacklistEntry | undefined;
	/** Those of this address; all tickets of the sandbox if the visitor controls it. */
	readonly tickets: readonly TicketView[];
	/** True if the visitor controls the sandbox and so decides about tickets. */
	readonly canDecide: boolean;
	/** The input, and at first the current status of the address. */
	readonly draft: TicketDraft;
	readonly problem: string | undefined;
	readonly action: string;
	readonly fields: HiddenFields;
};

/** How many open tickets the owner sees at once, the oldest first. The page stays small if addresses file many. */
const maxDecisions = 20;

const outcomes: Record<Ticket['state'], string> = {
	open: 'Open',
	unblocked: 'Approved: the address was unblocked',
	refused: 'Rejected: the address stays blacklisted'
};

/** The form of a support ticket (specification, section 8.8), and the status of earlier tickets. */
export function supportContent({ address, blacklistEntry, tickets, draft, problem, ...view }: SupportView): Html {
	const open = tickets.filter(({ state }) => state === 'open');
	const latest = open.filter((ticket) => ticket.address === address).at(-1);
	const rows = tickets.map((ticket) => [
		html`<code>${ticket.id}</code>`,
		...[displayDate(ticket.created_at), outcomes[ticket.state]]
	]);
	return html`<h1>Support ticket</h1>
		${
			blacklistEntry === undefined
				? notice('ok', html`Your address <code>${address}</code> is not blacklisted.`)
				: blacklistedNotice(address, blacklistEntry)
		}
		${latest === undefined ? undefined : notice('info', html`<strong>Ticket <code>${latest.id}</code> submitted.</strong> Its status appears below.`)}
		${view.canDecide ? open.slice(0, maxDecisions).map((ticket) => decision(ticket, view)) : undefined}
		${tickets.length === 0 ? undefined : html`<h2>Tickets</h2>${table(['Ticket', 'Submitted', 'Status'], rows)}`}
		<h2>File a ticket</h2>
		<p>
			Is your address blacklisted by mistake? ${view.canDecide ? 'You run this sandbox, so you decide the ticket on this page.' : 'An administrator will review your ticket.'}
		</p>
		${problem === undefined ? undefined : notice('error', problem)}
		<form class="stack" method="post" action="${view.action}">
			${hiddenFields(view.fields)}
			<label
				><span>Rate limit status, the JSON response of <code>GET /ratelimiting</code> (filled in with the current status)</span
				><textarea class="mono" name="result" rows="5" maxlength="4000" required>${draft.result ?? ''}</textarea>
			</label>
			<label
				><span>Why should your address be unblocked?</span
				><textarea name="reason" rows="4" maxlength="4000" required>${draft.reason ?? ''}</textarea>
			</label>
			<label
				><span>What did you change?</span
				><textarea name="resolution" rows="4" maxlength="4000" required>${draft.resolution ?? ''}</textarea>
			</label>
			<div class="actions"><button class="primary">Submit ticket</button></div>
		</form>`;
}

function decision(
	{ id, address, reason, resolution }: TicketView,
	{ action, fields }: Pick<SupportView, 'action' | 'fields'>
): Html {
	return html`<section class="notice caution">
		<p><strong>You run this sandbox.</strong> Decide ticket <code>${id}</code> of <code>${address}</code>.</p>
		<p>Reason: ${reason}</p>
		<p>Change: ${resolution}</p>
		<form method="post" action="${action}">
			${hiddenFields({ ...fields, ticket: id })}
			<div class="actions">
				<button class="primary" name="decision" value="unblock">Approve ticket</button>
				<button name="decision" value="refuse">Reject ticket</button>
			</div>
		</form>
	</section>`;
}
