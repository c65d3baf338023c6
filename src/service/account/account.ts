import type { WireResponse } from '#wire/message.ts';
import { answerJson, redirect, requireMethod } from '../responses.ts';
import { signIn, signOut } from '../authorization/session-cookie.ts';
import { checkPassword } from '../authorization/passwords.ts';
import { ProtocolError } from '../errors.ts';
import { endGrant } from '../token/tokens.ts';
import { wantsData } from '../negotiation.ts';
import { accountContent, signInContent, type GrantView } from '../pages/account-page.ts';
import { answerPage } from '../pages/page.ts';
import { grantKey } from '../records.ts';
import { endpoint, step } from '../runner.ts';
import { answerFormError } from '../pages/form-error.ts';
import { FormCall, readProvenForm, recogniseBrowser } from './csrf.ts';

const takeGet = step<FormCall>('the method is GET', '5', (call) => requireMethod(call, 'GET', 'HEAD', 'POST'));

const show = step<FormCall>('the settings of whoever is signed in', '5', (call) => showAccount(call));

const act = step<FormCall>('what the person asks for', '3.1', async (call) => {
	const action = call.fields.get('action');
	if (action === 'sign-in') return signInHere(call);
	const username = call.browser.session?.username;
	if (username === undefined) return showAccount(call);
	if (action === 'sign-out') {
		await signOut(call, call.browser);
		call.saw(`${username} signs out`);
	} else if (action === 'revoke') {
		await takeAccessAway(call, username);
	} else throw new ProtocolError('invalid_request', 'This form asks for nothing that the page can do.');
	return redirect(call, accountUrl(call));
});

/** Account settings, `GET /account`: which applications may do what since when (specification, section 5, rule 4). */
export const account = endpoint(FormCall, [takeGet, recogniseBrowser(), show], answerFormError);

/** Account settings, `POST /account`: sign in, sign out, take an application's access away (section 3.1). */
export const changeAccount = endpoint(FormCall, [recogniseBrowser(), readProvenForm(), act], answerFormError);

async function signInHere(call: FormCall): Promise<WireResponse> {
	const username = call.fields.get('username') ?? '';
	const known = await checkPassword(call, username, call.secret(call.fields.get('password') ?? ''));
	if (known === undefined) return showAccount(call, username);
	await signIn(call, call.browser, known.username);
	call.saw(`${known.username} signs in`);
	return redirect(call, accountUrl(call));
}

async function takeAccessAway(call: FormCall, username: string): Promise<void> {
	const client_id = call.fields.get('client_id') ?? '';
	const grant = await call.sandbox.area.get('grant', grantKey(username, client_id));
	if (grant === undefined)
		throw new ProtocolError('not_found', 'This application has no access to your account (any more).');
	await endGrant(call, username, client_id, grant.id);
	call.saw(`${username} takes the access of ${client_id} away`);
}

async function showAccount(call: FormCall, failedAs?: string): Promise<WireResponse> {
	const username = call.browser.session?.username;
	const fields = { proof: call.proof };
	const form = { method: 'POST', action: accountUrl(call), fields };
	const isData = wantsData(call.header('accept'));
	if (username === undefined) {
		const status = failedAs === undefined ? 200 : 403;
		if (isData) return answerJson(call, status, { signed_in: false, form });
		return answerPage(call, status, {
			title: 'Sign in · Tollgate',
			content: signInContent(form.action, fields, failedAs)
		});
	}
	const grants = await grantsOf(call, username);
	if (isData) return answerJson(call, 200, { signed_in: true, username, grants, form });
	const content = accountContent(username, grants, form.action, fields);
	return answerPage(call, 200, { title: 'Account settings · Tollgate', content, wide: true });
}

async function grantsOf(call: FormCall, username: string): Promise<GrantView[]> {
	const grants: GrantView[] = [];
	for (const [, grant] of await call.sandbox.area.list('grant')) {
		if (grant.username !== username) continue;
		const application = await call.sandbox.area.get('application', grant.client_id);
		const { client_id, scopes, offline, since } = grant;
		grants.push({ client_id, name: application?.name ?? client_id, scopes, offline, since });
	}
	return grants;
}

function accountUrl(call: FormCall): string {
	return `${call.sandbox.base_url}/account`;
}
