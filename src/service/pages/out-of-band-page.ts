import type { WireResponse } from '#api/message.ts';
import type { Context } from '../core/context.ts';
import { displayDuration } from '../core/time.ts';
import { copyButton, facts, untrusted } from './elements.ts';
import { html, type Html } from '#api/html.ts';
import { respondPage } from './page.ts';

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

function stateList(state: string | undefined): Html | undefined {
	return state === undefined ? undefined : facts({ State: html`<code id="state">${state}</code>` });
}
