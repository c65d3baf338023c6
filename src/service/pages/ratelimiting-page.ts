import type { BlacklistEntry } from '../sandbox/records.ts';
import { displayDate } from '../core/time.ts';
import { copyButton, notice, table } from './page.ts';
import { html, type Html } from '#lib/html.ts';

export type RateLimitRow = {
	readonly pattern: string;
	readonly limit: number;
	readonly remaining: number;
	/** Unix seconds. */
	readonly reset: number;
};

/** The rate limiting status of an address. */
export type StatusView = {
	readonly address: string;
	readonly blacklistEntry: BlacklistEntry | undefined;
	readonly records: readonly RateLimitRow[];
	/** The response to a program: the first part of a ticket (specification, section 8.8). */
	readonly status: object;
	/** URL of the page that files a ticket. */
	readonly support: string;
};

/** The page at `GET /ratelimiting`, with a link to a support ticket (specification, section 8.8). */
export function statusContent({ address, blacklistEntry, records, status, support }: StatusView): Html {
	const rows = records.map(({ pattern, limit, remaining, reset }) => [
		html`<code>${pattern}</code>`,
		`${remaining} of ${limit}`,
		displayDate(reset)
	]);
	return html`<h1>Rate limits</h1>
		${blacklistEntry === undefined ? activeNotice(address, records) : blacklistedNotice(address, blacklistEntry)}
		${table(['Endpoint', 'Remaining', 'Resets at'], rows)}
		<div class="actions"><a class="button${blacklistEntry === undefined ? '' : ' primary'}" href="${support}">File a support ticket</a></div>
		<details>
			<summary>JSON response</summary>
			<pre class="code" id="status" tabindex="0">${JSON.stringify(status, undefined, 2)}</pre>
			${copyButton('status', 'Copy JSON')}
		</details>`;
}

/** Says that an address is blacklisted, since when and why. */
function blacklistedNotice(address: string, { since, reason }: BlacklistEntry): Html {
	return html`${notice('error', html`Your address <code>${address}</code> has been blacklisted since ${displayDate(since)}. Reason: ${reason}.`)}
		<p class="lead">
			Requests from this address get no response. This does not expire. File a support ticket to be unblocked.
		</p>`;
}

function activeNotice(address: string, records: readonly RateLimitRow[]): Html {
	const used = records.filter(({ remaining }) => remaining === 0).map(({ pattern }) => html`<code>${pattern}</code> `);
	return used.length === 0
		? notice('ok', html`Your address <code>${address}</code> is not blacklisted and has requests left.`)
		: notice(
				'caution',
				html`Your address <code>${address}</code> is not blacklisted. It has no requests left for ${used}until the reset.`
			);
}
