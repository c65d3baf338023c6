import type { WireResponse } from '#wire/message.ts';
import { redirect, requireMethod } from '../responses.ts';
import { ProtocolError } from '../errors.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { requireSameOrigin } from '../checks/same-origin.ts';
import { readForm } from '../pages/read-form.ts';
import type { Account, PendingRequest } from '../records.ts';
import { endpoint, step } from '../runner.ts';
import { ask, formAction } from './interaction.ts';
import { AuthCall } from './authorization-context.ts';
import { signIn } from './session-cookie.ts';
import { recordConsent } from './consent.ts';
import { deliverCode, deliverError, deliverRefusal } from './authorization-response.ts';
import { checkPassword } from './passwords.ts';
import { findPending, takePending } from './pending.ts';

class DecideCall extends AuthCall {
	/** Set by the step that finds the held request. */
	pending!: PendingRequest;
}

const takeMethod = step<DecideCall>('the method is POST', '4', (call) => requireMethod(call, 'POST'));

const refuseOtherSites = step<DecideCall>('the form was sent from our own page', 'RFC 6749 §10.12', requireSameOrigin);

const readFields = step<DecideCall>('the form can be read', '2.1', (call) => {
	call.fields = readForm(call);
});

const findRequest = step<DecideCall>(
	'the form belongs to a request held for this browser',
	'RFC 6749 §10.12',
	async (call) => {
		call.pending = await findPending(call, call.fields.get('request'));
		call.saw(call.application.client_id);
	}
);

const checkSignIn = step<DecideCall>('user name and password, where they were sent', '5', async (call) => {
	const username = call.fields.get('username');
	if (username === undefined) return call.saw('a decision, not a sign-in');
	const account = await tryPassword(call, username);
	if (account === undefined) {
		call.saw('they do not match');
		call.browser = { ...call.browser, session: undefined };
		return ask(call, { status: 403, text: 'User name and password do not match. Try again.', username });
	}
	await signIn(call, call.browser, account.username);
	call.saw(account.username);
	return redirect(call, `${formAction(call)}?request=${call.pendingId ?? ''}`);
});

const carryOut = step<DecideCall>('the decision is of the person who was asked', '3.1', async (call) => {
	const username = call.browser.session?.username;
	const decision = call.fields.get('decision');
	if (decision === 'switch') return switchAccount(call);
	if (username === undefined) return ask(call);
	if (username !== call.pending.asked) {
		throw new ProtocolError(
			'forbidden',
			'Somebody else has signed in in this browser since. Go back to the application and begin again.'
		);
	}
	call.saw(`${username}: ${decision === 'approve' || decision === 'deny' ? decision : 'no decision'}`);
	if (decision === 'approve') {
		await takePending(call);
		return deliverCode(call, await recordConsent(call, username));
	}
	if (decision !== 'deny') return ask(call);
	await takePending(call);
	return deliverRefusal(call);
});

/** Sign-in and consent, `POST /ws/oauth2/auth/` with the id of a held request (specification, sections 3.1 and 5). */
export const decide = endpoint(
	DecideCall,
	[refuseBlacklisted, injectFault, takeMethod, refuseOtherSites, readFields, findRequest, checkSignIn, carryOut],
	deliverError
);

/** Signs the person out and asks anew, the held request staying where it is. */
async function switchAccount(call: DecideCall): Promise<WireResponse> {
	const { id } = call.browser;
	if (id === undefined || call.pendingId === undefined) return ask(call);
	const digest = call.options.digest(call.pendingId);
	await call.sandbox.area.update('pending', digest, (now) => now && { ...now, browser: id, asked: undefined });
	await call.sandbox.area.delete('session', id);
	call.saw('another account is asked for');
	return redirect(call, `${formAction(call)}?request=${call.pendingId}`);
}

function tryPassword(call: DecideCall, username: string): Promise<Account | undefined> {
	return checkPassword(call, username, call.secret(call.fields.get('password') ?? ''));
}
