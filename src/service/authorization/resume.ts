import { FormFields } from '../form-fields.ts';
import { check } from '../runner.ts';
import { renderInteraction } from './interaction.ts';
import type { AuthorizationContext } from './authorization-context.ts';
import { isNavigation } from './navigation.ts';
import { consentNotNeeded } from './consent.ts';
import { respondWithCode } from './authorization-response.ts';
import { findPending, consumePending } from './pending.ts';

/** Goes on with a request that is being held, after its person has signed in. */
export const resumeAuthorization = check<AuthorizationContext>(
	'whether a held request goes on',
	'5',
	async (context) => {
		const fields = new FormFields(context.query);
		const id = fields.get('interaction');
		if (id === undefined || fields.has('client_id')) return context.note('no: a new request');
		const pending = await findPending(context, id);
		context.note(`yes: ${context.application.client_id}`);
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
				(now) => now && { ...now, promptedUser: username }
			);
		}
		return renderInteraction(context);
	}
);
