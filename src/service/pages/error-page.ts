import type { WireResponse } from '#wire/message.ts';
import type { Context } from '../context.ts';
import type { ProtocolError } from '../errors.ts';
import { html, type Html } from './html.ts';
import { respondPage } from './page.ts';

const headlines: Partial<Record<string, string>> = {
	forbidden: 'Request rejected',
	not_found: 'Not found',
	method_not_allowed: 'Method not allowed',
	too_many_attempts: 'Too many attempts',
	server_error: 'Internal error',
	temporarily_unavailable: 'Temporarily unavailable'
};

/** An error page. It is never a redirect. It links to the checks of the request. */
export function errorPage(context: Context, error: ProtocolError): WireResponse {
	const failed = context.trace.find((line) => line.outcome === 'failed');
	const content = html`<h1>${headlines[error.code] ?? 'Invalid request'}</h1>
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
							<dt>Failed check</dt>
							<dd>${failed.name}${sectionLink(context, failed.section)}</dd>
						</div>`
			}
			<div>
				<dt>Request</dt>
				<dd><code>${context.id}</code></dd>
			</div>
		</dl>
		<p class="hint">
			Developers: see
			<a href="${context.sandbox.base_url}/control/traffic/${context.id}">this request and its checks</a> in the traffic log.
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
