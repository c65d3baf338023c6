import type { WireResponse } from '#api/message.ts';
import type { Context } from '../core/context.ts';
import type { ProtocolError } from '../core/errors.ts';
import { facts, notice } from './elements.ts';
import { html } from './html.ts';
import { pageTitle, respondPage } from './page.ts';

/** The page at any URL below a sandbox that does not exist. */
export function unknownSandboxPage(context: Context, error: ProtocolError): WireResponse {
	const { origin } = context.options;
	const { viewer, sandboxes } = context.sandbox.seed.world;
	const { idle_hours } = sandboxes;
	const unused = idle_hours === 24 ? 'a day' : idle_hours === 1 ? 'an hour' : `${idle_hours} hours`;
	const content = html`<h1>Sandbox not found</h1>
		${error.code === 'not_found' ? undefined : notice('error', error.message)}
		<p class="lead">This server has no sandbox with the id after the <code>~</code> in the URL.</p>
		<p>
			It may have been deleted. Sandboxes that are not used for ${unused} are deleted, and a full server deletes those that
			are idle for 30 minutes. The URL may also be mistyped: ids are case-sensitive.
		</p>
		<p>Check the URL, or use the default sandbox. It is always available.</p>
		<div class="actions">
			<a class="button primary" href="${origin}/">Go home</a
			><a class="button" href="${origin}/viewer">Open the ${viewer.name}</a>
		</div>
		${facts({ Error: html`<code>${error.code}</code>`, Request: html`<code>${context.id}</code>` })}`;
	const page = { title: pageTitle(context, 'Sandbox not found'), content, isNotFound: true };
	return respondPage(context, error.status, page, error.headers);
}
