import type { WireResponse } from '#api/message.ts';
import { redirect, requireMethod, respondJson } from '../core/responses.ts';
import { prefersJson } from '../core/negotiation.ts';
import { FormContext, loadSession, readVerifiedForm, signIn, signOut } from '../access/cookies.ts';
import { checkPassword } from '../authorization/passwords.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { revokeGrant } from '../token/tokens.ts';
import { accountContent, signInContent, type GrantView, type RevokedAccess } from '../pages/account-page.ts';
import { pageTitle, respondPage } from '../pages/page.ts';
import { meaningsOf } from '../sandbox/permissions.ts';
import { type Grant, grantKey } from '../sandbox/records.ts';
import { check, endpoint } from '../core/runner.ts';
import { respondFormError } from '../pages/error-page.ts';

/** In place of a client_id, after all access was revoked. */
const everyApplication = '*';

const checkMethod = check<FormContext>('account.method_allowed', (context) =>
	requireMethod(context, 'GET', 'HEAD', 'POST')
);

const show = check<FormContext>('account.shown', (context) => renderAccount(context));

const applyAction = check<FormContext>('account.changed', async (context) => {
	const action = context.fields.get('action');
	if (action === 'sign-in') return signInHere(context);
	const username = context.browser.session?.username;
	if (username === undefined) return renderAccount(context);
	if (action === 'sign-out') {
		await signOut(context, context.browser);
		context.note(`${username} signs out`);
	} else if (action === 'revoke-all') {
		for (const { client_id, id } of await grantsOf(context, username))
			await revokeGrant(context, username, client_id, id);
		context.note(`${username} revokes all access`);
		return redirect(context, `${accountUrl(context)}?revoked=${everyApplication}`);
	} else if (action === 'revoke') {
		const client_id = await revokeAccess(context, username);
		return redirect(context, `${accountUrl(context)}?revoked=${encodeURIComponent(client_id)}`);
	} else
		throw new ProtocolError('invalid_request', 'The form has no valid action. Reload the page and try again.', {
			cause: 'unknown_action'
		});
	return redirect(context, accountUrl(context));
});

/** Account settings, `GET /account`: which applications may do what, since when, and when they last did (specification, section 5, rule 4). */
export const account = endpoint(FormContext, [checkMethod, loadSession(), show], respondFormError);

/** Account settings, `POST /account`: sign in, sign out, revoke the access of one application or of all (section 3.1). */
export const changeAccount = endpoint(FormContext, [loadSession(), readVerifiedForm(), applyAction], respondFormError);

async function signInHere(context: FormContext): Promise<WireResponse> {
	const username = context.fields.get('username') ?? '';
	const known = await checkPassword(context, username, context.redact(context.fields.get('password') ?? ''));
	if (known === undefined) return renderAccount(context, username);
	await signIn(context, context.browser, known.username);
	context.note(`${known.username} signs in`);
	return redirect(context, accountUrl(context));
}

async function revokeAccess(context: FormContext, username: string): Promise<string> {
	const client_id = context.fields.get('client_id') ?? '';
	const grant = await context.store.get('grant', grantKey(username, client_id));
	if (grant === undefined)
		throw new ProtocolError(
			'not_found',
			'This application does not have access to your account. Reload the page to see the current list.',
			{ cause: 'no_access' }
		);
	await revokeGrant(context, username, client_id, grant.id);
	context.note(`${username} revokes the access of ${client_id}`);
	return client_id;
}

async function renderAccount(context: FormContext, failedAs?: string): Promise<WireResponse> {
	const username = context.browser.session?.username;
	const fields = { csrf_token: context.csrfToken };
	const form = { method: 'POST', action: accountUrl(context), fields };
	const isData = prefersJson(context.header('accept'));
	if (username === undefined) {
		const status = failedAs === undefined ? 200 : 403;
		if (isData) return respondJson(context, status, { signed_in: false, form });
		return respondPage(context, status, {
			title: pageTitle(context, 'Sign in'),
			content: signInContent(form.action, fields, context.sandbox.seed.world.accounts, failedAs)
		});
	}
	const grants = await viewsOf(context, await grantsOf(context, username));
	if (isData) return respondJson(context, 200, { signed_in: true, username, grants, form });
	const revoked = await revokedNames(context, grants);
	const meanings = await meaningsOf(context);
	const name = context.sandbox.seed.world.accounts.find((account) => account.username === username)?.name;
	const content = accountContent({ username, name, grants, ...form, revoked, meanings });
	return respondPage(context, 200, { title: pageTitle(context, 'Account settings'), content });
}

/** What lost access just now, if it still has none: the name of an application, or `all`. */
async function revokedNames(context: FormContext, grants: readonly GrantView[]): Promise<RevokedAccess | undefined> {
	const client_id = new FormFields(context.query).get('revoked') ?? '';
	if (client_id === everyApplication) return grants.length === 0 ? 'all' : undefined;
	if (grants.some((grant) => grant.client_id === client_id)) return undefined;
	const application = await context.store.get('application', client_id);
	return application && { name: application.name };
}

async function grantsOf({ sandbox }: FormContext, username: string): Promise<Grant[]> {
	const grants = await sandbox.store.list('grant');
	return grants.flatMap(([, grant]) => (grant.username === username ? [grant] : []));
}

async function viewsOf({ sandbox }: FormContext, grants: readonly Grant[]): Promise<GrantView[]> {
	const views: GrantView[] = [];
	for (const { client_id, scopes, offline, since, last_used } of grants) {
		const name = (await sandbox.store.get('application', client_id))?.name ?? client_id;
		const icon = sandbox.seed.world.icons.get(client_id);
		views.push({ client_id, name, icon, scopes, offline, since, last_used });
	}
	return views;
}

function accountUrl(context: FormContext): string {
	return `${context.sandbox.base_url}/account`;
}
