import type { WireResponse } from '#wire/message.ts';
import type { Context } from '../context.ts';
import type { ProtocolError } from '../errors.ts';
import { html } from './html.ts';
import { respondPage } from './page.ts';

/** The page at any address of a sandbox that does not exist: what happened, why, and what to do next. */
export function unknownSandboxPage(context: Context, error: ProtocolError): WireResponse {
	const { origin } = context.options;
	const content = html`<h1>There is no such sandbox</h1>
		${error.code === 'not_found' ? undefined : html`<p class="notice error">${error.message}</p>`}
		<p class="lead">No sandbox of this server has the id that stands in the address behind the <code>~</code>.</p>
		<p>
			It may have been there: a sandbox is deleted when its owner says so, and when nobody has called it for a day; on a
			server that has no room left, when it has been idle for half an hour. Or the address is mistyped: every letter of an
			id counts, its case too.
		</p>
		<p>
			Compare the address with the one that you were given, or ask for a new one. The sandbox at the origin is always
			there.
		</p>
		<div class="actions">
			<a class="button primary" href="${origin}/">Go to the start</a
			><a class="button" href="${origin}/viewer">Open the Character Viewer</a>
		</div>
		<dl class="facts">
			<div>
				<dt>Error</dt>
				<dd><code>${error.code}</code></dd>
			</div>
			<div>
				<dt>Request</dt>
				<dd><code>${context.id}</code></dd>
			</div>
		</dl>`;
	return respondPage(context, error.status, { title: 'No such sandbox · Tollgate', content }, error.headers);
}
