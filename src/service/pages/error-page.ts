import type { WireResponse } from '#wire/message.ts';
import type { Context } from '../context.ts';
import type { ProtocolError } from '../errors.ts';
import { html, type Html } from './html.ts';
import { respondPage } from './page.ts';

const headlines: Partial<Record<string, string>> = {
	forbidden: 'This was not accepted',
	not_found: 'There is nothing here',
	method_not_allowed: 'Not in this way',
	too_many_attempts: 'Too many attempts',
	server_error: 'The service failed',
	temporarily_unavailable: 'Not at the moment'
};

/** An error shown in place, never a redirect: what happened, why, and where to find the checks that were made. */
export function errorPage(context: Context, error: ProtocolError): WireResponse {
	const failed = context.trace.find((line) => line.outcome === 'failed');
	const content = html`<h1>${headlines[error.code] ?? 'This request can’t be served'}</h1>
		<p class="notice error">${error.message}</p>
		<dl class="facts">
			<div>
				<dt>Error</dt>
				<dd><code>${error.code}</code></dd>
			</div>
			${
				failed === undefined
					? undefined
					: html`<div>
							<dt>Check that refused</dt>
							<dd>${failed.name}${sectionLink(context, failed.section)}</dd>
						</div>`
			}
			<div>
				<dt>Request</dt>
				<dd><code>${context.id}</code></dd>
			</div>
		</dl>
		<p class="hint">
			If you write the application that led here, look at
			<a href="${context.sandbox.base_url}/control/traffic/${context.id}">this request in the traffic log</a>, with every check
			that was made.
		</p>`;
	return respondPage(context, error.status, { title: `Error, ${error.code}`, content }, error.headers);
}

/** A section in parentheses, linked to the documentation where it is one of the specification. */
function sectionLink(context: Context, section: string): Html {
	if (section === '') return html``;
	if (section.startsWith('RFC')) return html` (${section})`;
	const anchor = `section-${section.replace('.', '-')}`;
	return html` (<a href="${context.sandbox.base_url}/docs/specification/#${anchor}">section ${section}</a>)`;
}
