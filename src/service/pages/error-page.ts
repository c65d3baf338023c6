import type { WireResponse } from '#api/message.ts';
import type { Cause } from '#api/checks.ts';
import { byPreview, redactText } from '#api/redact.ts';
import type { Context } from '../core/context.ts';
import type { ProtocolError } from '../core/errors.ts';
import { codeList, facts, notice } from './elements.ts';
import { html, type Html } from '#lib/html.ts';
import { pageTitle, respondPage } from './page.ts';
import { respondError } from '../core/responses.ts';
import { prefersJson } from '../core/negotiation.ts';

const headlines: Partial<Record<string, string>> = {
	forbidden: 'Request rejected',
	not_found: 'Not found',
	method_not_allowed: 'Method not allowed',
	too_many_attempts: 'Too many requests',
	server_error: 'Internal error',
	temporarily_unavailable: 'Temporarily unavailable'
};

/** What a user can open next, by the first part of the failed check's id. */
const nextSteps: Readonly<Record<string, readonly [label: string, path: string]>> = {
	auth: ['Show registered applications', '/console'],
	csrf: ['Open account settings', '/account']
};

/** The sign-in that a page or form belongs to is not there. */
const endedSignIn: ReadonlySet<string | undefined> = new Set<Cause>([
	'unknown_interaction',
	'other_browser',
	'redirect_uri_removed'
]);

/**
 * An error page. It is never a redirect. It shows what was received and what was expected, and links to the next step and to
 * the checks of the request.
 */
export function errorPage(context: Context, error: ProtocolError): WireResponse {
	const { base_url } = context.sandbox;
	const failed = context.trace.find((line) => line.outcome === 'failed');
	const area = failed?.id.split('.', 1)[0] ?? '';
	const { viewer } = context.sandbox.seed.world;
	const isCompleted = failed?.cause === 'completed';
	const isEnded = endedSignIn.has(failed?.cause);
	const next = isCompleted
		? [`Open the ${viewer.name}`, '/viewer']
		: isEnded || area === 'interaction'
			? [`Start again in the ${viewer.name}`, '/viewer']
			: nextSteps[area];
	const title = isCompleted
		? 'This sign-in is complete'
		: isEnded
			? 'This sign-in can’t continue'
			: (headlines[error.code] ?? 'Invalid request');
	const list = (values: readonly string[] | undefined) => (values === undefined ? undefined : codeList(values));
	const content = html`<h1>${title}</h1>
		${notice(isCompleted ? 'info' : 'error', error.message)}
		${facts({
			Received: list(error.received?.map((text) => redactText(text, { ...byPreview, secrets: context.shortSecrets }))),
			Expected: error.hidesExpected ? undefined : list(error.expected),
			'Failed check': failed && html`${failed.name}${sectionLink(context, failed.section)}`,
			Error: html`<code>${error.code}</code>`,
			Request: html`<code>${context.id}</code>`
		})}
		<div class="actions">
			${next === undefined ? undefined : html`<a class="button primary" href="${base_url}${next[1]}">${next[0]}</a>`}
			<a class="button" href="${base_url}/inspector?request=${context.id}">See all checks of this request</a>
		</div>`;
	return respondPage(context, error.status, { title: `Error, ${error.code}`, content }, error.headers);
}

/** A section in parentheses, linked to the documentation where it is one of the specification. */
function sectionLink(context: Context, section: string): Html {
	if (section === '') return html``;
	if (section.startsWith('RFC')) return html` (${section})`;
	const anchor = `section-${section.replace('.', '-')}`;
	return html` (<a href="${context.sandbox.base_url}/docs/specification/#${anchor}">section ${section}</a>)`;
}

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
		<p>
			If it was your seat in a class, the class has ended. Your progress and your
			<a href="${origin}/learn/certificate">certificate</a> are in this browser.
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

/** An error as a page, or as JSON if the client prefers it. */
export function respondFormError(context: Context, error: ProtocolError): WireResponse {
	return prefersJson(context.header('accept')) ? respondError(context, error) : errorPage(context, error);
}
