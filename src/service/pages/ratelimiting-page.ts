import type { RateLimitRecord } from '../checks/rate-limit.ts';
import type { Ban } from '../records.ts';
import { readableDate } from '../time.ts';
import { html, type Html } from './html.ts';

/** How an address stands. */
export type StandingView = {
	readonly address: string;
	readonly ban: Ban | undefined;
	readonly records: readonly RateLimitRecord[];
	/** What a program is answered: the first part of a ticket (specification, section 8.8). */
	readonly answer: object;
	/** Where a ticket is filed. */
	readonly support: string;
};

/** How an address stands, for a person who opens `GET /ratelimiting`: with the way to a ticket (specification, section 8.8). */
export function standingContent({ address, ban, records, answer, support }: StandingView): Html {
	return html`<h1>How your address stands</h1>
		${ban === undefined ? unbanned(address, records) : banned(address, ban)}
		<table>
			<thead>
				<tr>
					<th scope="col">Calls of</th>
					<th scope="col">How many are left</th>
					<th scope="col">Until when</th>
				</tr>
			</thead>
			<tbody>
				${records.map(
					({ pattern, limit, remaining, reset }) =>
						html`<tr>
							<td><code>${pattern}</code></td>
							<td>${remaining} of ${limit} left</td>
							<td>until ${readableDate(reset)}</td>
						</tr>`
				)}
			</tbody>
		</table>
		<h2>What a program is answered</h2>
		<p class="hint">A support ticket begins with this: copy it into the first field.</p>
		<pre class="code" tabindex="0">${JSON.stringify(answer, undefined, 2)}</pre>
		<div class="actions"><a class="button${ban === undefined ? '' : ' primary'}" href="${support}">File a support ticket</a></div>`;
}

function banned(address: string, { since, reason }: Ban): Html {
	return html`<p class="notice error">
			Your address <code>${address}</code> has been blacklisted since ${readableDate(since)}: ${reason}.
		</p>
		<p class="lead">Its calls get no answer, and waiting does not end that. Only a person lifts it: file a ticket.</p>`;
}

function unbanned(address: string, records: readonly RateLimitRecord[]): Html {
	const used = records.filter(({ remaining }) => remaining === 0).map(({ pattern }) => html`<code>${pattern}</code> `);
	return used.length === 0
		? html`<p class="notice ok">Your address <code>${address}</code> is not blacklisted, and has calls left.</p>`
		: html`<p class="notice caution">
				Your address <code>${address}</code> is not blacklisted, but all calls of ${used}are used. Wait until the reset.
			</p>`;
}
