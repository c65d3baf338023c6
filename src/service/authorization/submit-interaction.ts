import type { WireResponse } from '#wire/message.ts';
import { redirect, requireMethod } from '../responses.ts';
import { ProtocolError } from '../errors.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { requireSameOrigin } from '../checks/same-origin.ts';
import { readForm } from '../pages/read-form.ts';
import type { Account, PendingAuthorization } from '../records.ts';
import { endpoint, check } from '../runner.ts';
import { renderInteraction, formAction } from './interaction.ts';
import { AuthorizationContext } from './authorization-context.ts';
import { signIn } from './session-cookie.ts';
import { recordConsent } from './consent.ts';
import { respondWithCode, respondWithError, respondWithDenied } from './authorization-response.ts';
import { checkPassword } from './passwords.ts';
import { findPending, consumePending } from './pending.ts';

class SubmitContext extends AuthorizationContext {
	/** Set by the step that finds the held request. */
	pending!: PendingAuthorization;
}

const checkMethod = check<SubmitContext>('the method is POST', '4', (context) => requireMethod(context, 'POST'));

const checkOrigin = check<SubmitContext>('the form was sent from our own page', 'RFC 6749 §10.12', requireSameOrigin);

const readFields = check<SubmitContext>('the form can be read', '2.1', (context) => {
	context.fields = readForm(context);
});

const findPendingAuthorization = check<SubmitContext>(
	'the form belongs to a request held for this browser',
	'RFC 6749 §10.12',
	async (context) => {
		context.pending = await findPending(context, context.fields.get('interaction'));
		context.note(context.application.client_id);
	}
);

const checkSignIn = check<SubmitContext>('user name and password, where they were sent', '5', async (context) => {
	const username = context.fields.get('username');
	if (username === undefined) return context.note('a decision, not a sign-in');
	const account = await tryPassword(context, username);
	if (account === undefined) {
		context.note('they do not match');
		context.browser = { ...context.browser, session: undefined };
		return renderInteraction(context, {
			status: 403,
			text: 'User name and password do not match. Try again.',
			username
		});
	}
	await signIn(context, context.browser, account.username);
	context.note(account.username);
	return redirect(context, `${formAction(context)}?interaction=${context.pendingId ?? ''}`);
});

const applyDecision = check<SubmitContext>('the decision is of the person who was asked', '3.1', async (context) => {
	const username = context.browser.session?.username;
	const decision = context.fields.get('decision');
	if (decision === 'switch') return switchAccount(context);
	if (username === undefined) return renderInteraction(context);
	if (username !== context.pending.promptedUser) {
		throw new ProtocolError(
			'forbidden',
			'Somebody else has signed in in this browser since. Go back to the application and begin again.'
		);
	}
	context.note(`${username}: ${decision === 'approve' || decision === 'deny' ? decision : 'no decision'}`);
	if (decision === 'approve') {
		await consumePending(context);
		return respondWithCode(context, await recordConsent(context, username));
	}
	if (decision !== 'deny') return renderInteraction(context);
	await consumePending(context);
	return respondWithDenied(context);
});

/** Sign-in and consent, `POST /ws/oauth2/auth/` with the id of a held request (specification, sections 3.1 and 5). */
export const submitInteraction = endpoint(
	SubmitContext,
	[
		refuseBlacklisted,
		injectFault,
		checkMethod,
		checkOrigin,
		readFields,
		findPendingAuthorization,
		checkSignIn,
		applyDecision
	],
	respondWithError
);

/** Signs the person out and asks anew, the held request staying where it is. */
async function switchAccount(context: SubmitContext): Promise<WireResponse> {
	const { id } = context.browser;
	if (id === undefined || context.pendingId === undefined) return renderInteraction(context);
	const digest = context.options.digest(context.pendingId);
	await context.sandbox.store.update(
		'pending_authorization',
		digest,
		(now) => now && { ...now, browser: id, promptedUser: undefined }
	);
	await context.sandbox.store.delete('browser_session', id);
	context.note('another account is asked for');
	return redirect(context, `${formAction(context)}?interaction=${context.pendingId}`);
}

function tryPassword(context: SubmitContext, username: string): Promise<Account | undefined> {
	return checkPassword(context, username, context.redact(context.fields.get('password') ?? ''));
}
