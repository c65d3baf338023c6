import type { WireResponse } from '#api/message.ts';
import type { Cause } from '#api/checks.ts';
import { byPreview, redactText } from '#api/redact.ts';
import type { Context } from '../core/context.ts';
import type { ProtocolError } from '../core/errors.ts';
import { codeList, copyButton, facts, notice, pageTitle, respondPage, untrusted } from './page.ts';
import { hiddenFields, html, type Html } from '#lib/html.ts';
import { respondError } from '../core/responses.ts';
import { prefersJson } from '../core/negotiation.ts';
import type { FormDescription } from '#api/protocol/authorization.ts';
import { displayDuration } from '../core/time.ts';
import { formSourceOf } from '../sandbox/redirect-uris.ts';

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

/**
 * The page that contains a code in its title and its body (specification, sections 2.2 and 3.2).
 * @param application its name
 * @param lifetime of the code, in seconds
 * @param state decoded
 */
export function codePage(
	context: Context,
	application: string,
	{ code, lifetime }: { readonly code: string; readonly lifetime: number },
	state: string | undefined
): WireResponse {
	const content = html`<h1>Your code for ${untrusted(application)}</h1>
		<p class="lead">The application reads the code from the title of this window. If it doesn’t, copy and paste it into the application.</p>
		<p><code class="pre code" id="code">${code}</code></p>
		${copyButton('code', 'Copy code')}
		${stateList(state)}
		<p class="hint">The code works once and expires in ${displayDuration(lifetime)}. You can close this window afterwards.</p>`;
	return respondPage(context, 200, { title: `Success,code=${code}`, content, isFlowStep: true });
}

/**
 * The page that tells an installed application that the user denied access.
 * @param application its name
 * @param state decoded
 */
export function deniedPage(context: Context, application: string, state: string | undefined): WireResponse {
	const content = html`<h1>Access denied</h1>
		<p class="lead">You denied access, so ${untrusted(application)} gets no code.</p>
		${stateList(state)}
		<p class="hint">You can close this window.</p>`;
	return respondPage(context, 200, { title: 'Denied,error=access_denied', content, isFlowStep: true });
}

/**
 * The page that posts an authorization response to the client (OAuth 2.0 Form Post Response Mode 1.0). The script of the page sends the
 * form. Without scripts the user presses the button.
 * @param application its name
 */
export function formPostPage(context: Context, application: string, { action, fields }: FormDescription): WireResponse {
	const content = html`<h1>Back to ${untrusted(application)}</h1>
		<p class="lead">Your browser sends the response of this service to the application. If nothing happens, press the button.</p>
		<form method="post" action="${action}" data-submit>
			${hiddenFields(fields)}
			<div class="actions"><button class="primary">Continue</button></div>
		</form>`;
	const formOrigins = [formSourceOf(action) ?? []].flat();
	const page = { title: pageTitle(context, 'Continue'), content, formOrigins, isFlowStep: true };
	return { ...respondPage(context, 200, page), form: { action, fields } };
}

function stateList(state: string | undefined): Html | undefined {
	return state === undefined ? undefined : facts({ State: html`<code id="state">${state}</code>` });
}
