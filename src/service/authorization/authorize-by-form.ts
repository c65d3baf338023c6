import { decodePercent } from '#lib/percent.ts';
import { readForm } from '../access/csrf.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { check } from '../core/check.ts';
import type { ContextInit } from '../core/context.ts';
import { redirect } from '../core/responses.ts';
import { endpoint, type Endpoint } from '../core/runner.ts';
import { formOf } from '../sandbox/request-client.ts';
import { AuthorizationContext } from './authorization-context.ts';
import { formAction } from './interaction.ts';
import { respondWithError } from './authorization-response.ts';
import { knownParameters } from './request.ts';
import { submitInteraction } from './submit-interaction.ts';

/** As a GET the browser sends its session cookie, which it leaves out of a POST from another site. Unknown fields stay out of the URL. */
const sendOn = check<AuthorizationContext>('auth.form_sent_on', (context) => {
	const pairs = (context.bodyText ?? '').split('&').filter((pair) => {
		return knownParameters.has(decodePercent(pair.split('=', 1)[0] ?? '', true) ?? '');
	});
	const query = pairs.join('&').replaceAll('#', '%23');
	context.note(`${pairs.length} parameters`);
	return redirect(context, `${formAction(context)}?${query}`);
});

const checkForm = check<AuthorizationContext>('auth.form_is_valid', (context) => {
	readForm(context, false);
});

/** An authorization request as a form (OpenID Connect Core 1.0, section 3.1.2.1). */
const authorizeByForm = endpoint(AuthorizationContext, [rejectBlacklisted, checkForm, sendOn], respondWithError);

/**
 * `POST /ws/oauth2/auth/`: an authorization request, or a form of the pages of this service, which names a pending authorization. Only
 * today's standards have requests by POST.
 */
export const postAuthorization: Endpoint = {
	checks: [...new Set([...submitInteraction.checks, ...authorizeByForm.checks])],
	open: (init) => (isRequest(init) ? authorizeByForm : submitInteraction).open(init)
};

function isRequest({ dialect, request }: ContextInit): boolean {
	if (!dialect.metadata) return false;
	const form = formOf(request);
	return !form.has('interaction') && (form.has('client_id') || form.has('response_type'));
}
