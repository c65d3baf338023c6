import { check } from '../core/check.ts';
import { FormFields } from '../core/form-fields.ts';
import type { AuthorizationContext } from './authorization-context.ts';
import { respondWithCode } from './authorization-response.ts';
import { consentNotNeeded } from './consent.ts';
import { renderInteraction } from './interaction.ts';
import { isNavigation } from './navigation.ts';
import { consumePending, findPending } from './pending.ts';

/** Continues a pending authorization after the user has signed in. */
export const resumeAuthorization = check<AuthorizationContext>('auth.request_is_new', async (context) => {
	const fields = new FormFields(context.query);
	const id = fields.get('interaction');
	if (id === undefined || fields.has('client_id')) return context.note('New request');
	const pending = await findPending(context, id);
	context.note(`Pending authorization of ${context.application.client_id}`);
	if (context.grant !== undefined && consentNotNeeded(context) && isNavigation(context)) {
		await consumePending(context);
		return respondWithCode(context, context.grant);
	}
	const username = context.browser.session?.username;
	if (username !== pending.promptedUser) {
		const digest = context.options.digest(id);
		await context.sandbox.store.update(
			'pending_authorization',
			digest,
			(now) => now && { ...now, browser: now.browser ?? context.browser.id, promptedUser: username }
		);
	}
	return renderInteraction(context);
});
