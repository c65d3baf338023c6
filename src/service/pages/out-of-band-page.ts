import type { WireResponse } from '#wire/message.ts';
import type { AuthorizationContext } from '../authorization/authorization-context.ts';
import { decodePercent } from '../encoding.ts';
import { html, type Html } from './html.ts';
import { respondPage, untrusted } from './page.ts';

/** The page that carries a code in its title and its body (specification, sections 2.2 and 3.2). */
export function codePage(context: AuthorizationContext, code: string): WireResponse {
	const content = html`<h1>Give this code to ${untrusted(context.application.name)}</h1>
		<p class="lead">The application reads it from the title of this window. If it doesn’t, copy it there by hand.</p>
		<p><code class="pre code" id="code">${code}</code></p>
		${stateOf(context)}
		<p class="hint">The code is good once, for a few minutes. You can close this window afterwards.</p>`;
	return respondPage(context, 200, { title: `Success,code=${code}`, content });
}

/** The page that tells an installed application that the person said no. */
export function deniedPage(context: AuthorizationContext): WireResponse {
	const content = html`<h1>Access refused</h1>
		<p class="lead">${untrusted(context.application.name)} was told that you said no, and gets no code.</p>
		${stateOf(context)}
		<p class="hint">You can close this window.</p>`;
	return respondPage(context, 200, { title: 'Denied,error=access_denied', content });
}

function stateOf(context: AuthorizationContext): Html | undefined {
	const { state } = context.authorizationRequest;
	if (state === undefined) return undefined;
	return html`<dl class="facts">
		<div>
			<dt>State</dt>
			<dd><code id="state">${decodePercent(state, true) ?? state}</code></dd>
		</div>
	</dl>`;
}
