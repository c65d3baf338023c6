import type { WireResponse } from '#api/message.ts';
import { check, endpoint, when } from '../core/runner.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { readForm, requireSameOrigin, signIn } from '../access/cookies.ts';
import { ProtocolError } from '../core/errors.ts';
import { grantKey, type PendingConsent } from '../sandbox/records.ts';
import { redirect, requireMethod } from '../core/responses.ts';
import { describeCard, findTestCard } from '../sandbox/test-cards.ts';
import { AuthorizationContext, consentNotNeeded, recordConsent } from './consent.ts';
import { respondWithCode, respondWithDenied, respondWithError } from './authorization-response.ts';
import { completePending, declineForTestAccount, findPending } from './pending.ts';
import { mustSignIn } from './openid-request.ts';
import { formAction, renderInteraction } from './interaction.ts';
import { checkPassword } from './passwords.ts';

class SubmitContext extends AuthorizationContext {
	/** Set by `interaction.pending_in_this_browser`. */
	pending!: PendingConsent;
}

const checkMethod = check<SubmitContext>('interaction.method_is_post', (context) => requireMethod(context, 'POST'));

const checkOrigin = check<SubmitContext>('interaction.same_origin', requireSameOrigin);

const readFields = check<SubmitContext>('interaction.form_is_valid', (context) => {
	context.fields = readForm(context);
});

const findPendingAuthorization = check<SubmitContext>('interaction.pending_in_this_browser', async (context) => {
	context.pending = await findPending(context, context.fields.get('interaction'));
	context.note(context.application.client_id);
});

const checkSignIn = check<SubmitContext>('interaction.password_is_correct', async (context) => {
	const username = context.fields.get('username');
	if (username === undefined) return context.note('A decision, no sign-in');
	const password = context.redact(context.fields.get('password') ?? '');
	const account = await checkPassword(context, username, password);
	if (account === undefined) {
		const card = findTestCard(context, 'account', username);
		context.note(card === undefined ? 'They do not match' : describeCard(card));
		context.browser = { ...context.browser, session: undefined };
		const text = 'Incorrect username or password.';
		return renderInteraction(context, { status: 403, text, username });
	}
	context.verifiedUsername = account.username;
	context.note(account.username);
});

const startSession = check<SubmitContext>('interaction.session_started', async (context) => {
	const { verifiedUsername } = context;
	if (verifiedUsername === undefined) return undefined;
	const id = await signIn(context, context.browser, verifiedUsername);
	await bindToBrowser(context, id);
	if (context.weaknesses.has('redirect_307')) {
		const grant = await context.store.get('grant', grantKey(verifiedUsername, context.application.client_id));
		context.grant = grant && { ...grant, username: verifiedUsername };
		if (context.grant !== undefined && consentNotNeeded(context)) {
			await completePending(context);
			return respondWithCode(context, context.grant);
		}
	}
	return redirect(context, `${formAction(context)}?interaction=${context.pendingId ?? ''}`);
});

const applyDecision = check<SubmitContext>('interaction.decided_by_prompted_user', async (context) => {
	const username = context.browser.session?.username;
	const decision = context.fields.get('decision');
	if (decision === 'switch') return switchAccount(context);
	if (username === undefined || mustSignIn(context)) return renderInteraction(context);
	if (username !== context.pending.promptedUser) {
		throw new ProtocolError(
			'forbidden',
			'Another user has signed in to this browser since. Start again from the application.',
			{ cause: 'other_user', received: [username], expected: [context.pending.promptedUser ?? '(no user)'] }
		);
	}
	context.note(`${username}: ${decision === 'approve' || decision === 'deny' ? decision : 'no decision'}`);
	if (decision === 'approve') {
		await completePending(context);
		return respondWithCode(context, await recordConsent(context, username), true);
	}
	if (decision !== 'deny') return renderInteraction(context);
	await completePending(context);
	return respondWithDenied(context);
});

/** Sign-in and consent, `POST /ws/oauth2/auth/` for a pending authorization (specification, sections 3.1 and 5.2). */
export const submitInteraction = endpoint(
	SubmitContext,
	[
		rejectBlacklisted,
		injectFault,
		checkMethod,
		checkOrigin,
		readFields,
		findPendingAuthorization,
		checkSignIn,
		declineForTestAccount,
		...when(({ verifiedUsername }) => verifiedUsername !== undefined, [startSession]),
		applyDecision
	],
	respondWithError
);

/** Reserves a pending authorization that was started without a cookie for the browser that has signed in. It asks for no other sign-in. */
async function bindToBrowser(context: SubmitContext, browser: string): Promise<void> {
	const id = context.options.digest(context.pendingId ?? '');
	await context.store.update(
		'pending_authorization',
		id,
		(now) =>
			now && {
				...now,
				browser: now.browser ?? browser,
				openid: now.openid && { ...now.openid, mustSignIn: false }
			}
	);
}

/** Signs the user out and shows the sign-in page again, for the same pending authorization. */
async function switchAccount(context: SubmitContext): Promise<WireResponse> {
	const { id } = context.browser;
	if (id === undefined || context.pendingId === undefined) return renderInteraction(context);
	await context.store.update(
		'pending_authorization',
		context.options.digest(context.pendingId),
		(now) => now && { ...now, browser: id, promptedUser: undefined }
	);
	await context.store.delete('browser_session', id);
	context.note('Another account');
	return redirect(context, `${formAction(context)}?interaction=${context.pendingId}`);
}
