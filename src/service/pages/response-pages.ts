import type { WireResponse } from '#api/message.ts';
import type { FormDescription } from '#api/protocol/authorization.ts';
import type { Context } from '../core/context.ts';
import { displayDuration } from '../core/time.ts';
import { formSourceOf } from '../sandbox/redirect-uris.ts';
import { copyButton, facts, untrusted } from './elements.ts';
import { hiddenFields, html, type Html } from '#lib/html.ts';
import { pageTitle, respondPage } from './page.ts';

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
