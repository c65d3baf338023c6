import type { WireResponse } from '#api/message.ts';
import type { FormDescription } from '#api/protocol/authorization.ts';
import { html } from '#api/html.ts';
import type { Context } from '../core/context.ts';
import { formSourceOf } from '../sandbox/redirect-uris.ts';
import { hiddenFields, untrusted } from './elements.ts';
import { pageTitle, respondPage } from './page.ts';

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
	return respondPage(context, 200, { title: pageTitle(context, 'Continue'), content, formOrigins, isFlowStep: true });
}
