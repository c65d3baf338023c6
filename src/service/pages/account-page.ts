import { demoUsernames } from '../seed.ts';
import type { Grant } from '../records.ts';
import { scopes } from '../scopes.ts';
import { displayDate } from '../time.ts';
import { facts, hiddenFields, notice, untrusted, type HiddenFields } from './elements.ts';
import { html, type Html } from './html.ts';
import { signInForm } from './sign-in-form.ts';

/** What the user sees of one grant. */
export type GrantView = Pick<Grant, 'client_id' | 'scopes' | 'offline' | 'since'> & { readonly name: string };

/** The account settings before a user has signed in. */
export function signInContent(action: string, fields: HiddenFields, failedAs: string | undefined): Html {
	const form = signInForm({
		action,
		fields: { ...fields, action: 'sign-in' },
		accounts: demoUsernames.map((username) => ({ username })),
		...(failedAs === undefined ? {} : { username: failedAs, problem: 'Incorrect username or password.' })
	});
	return html`<h1>Account settings</h1>
		<p class="lead">Sign in to see and revoke the access of applications.</p>
		${form}`;
}

/**
 * The account settings: the applications with access, and a button that revokes it.
 * @param revoked name of the application whose access was just revoked
 */
export function accountContent(
	username: string,
	grants: readonly GrantView[],
	action: string,
	fields: HiddenFields,
	revoked: string | undefined
): Html {
	return html`<h1>Account settings</h1>
		<form class="inline" method="post" action="${action}">
			${hiddenFields({ ...fields, action: 'sign-out' })}
			<p class="lead">Signed in as <strong>${username}</strong>. <button class="small">Sign out</button></p>
		</form>
		${revoked === undefined ? undefined : notice('ok', html`You revoked access for ${untrusted(revoked)}. Its tokens no longer work.`)}
		<h2>Applications with access</h2>
		${
			grants.length === 0
				? notice('info', 'No application has access to your account. Applications that you authorize appear here.')
				: grants.map((grant) => grantSection(grant, action, fields))
		}`;
}

function grantSection(
	{ name, client_id, since, offline, ...grant }: GrantView,
	action: string,
	fields: HiddenFields
): Html {
	return html`<section class="grant">
		<h3>${untrusted(name)}</h3>
		<ul class="permissions">
			${grant.scopes.map((scope) => html`<li><strong>${scopes.get(scope) ?? scope}</strong><span><code>${scope}</code></span></li>`)}
		</ul>
		${facts({ 'Authorized on': displayDate(since), 'Offline access': offline ? 'Yes, until you revoke it' : 'No' })}
		<details class="confirm">
			<summary class="button danger">Revoke access…</summary>
			<form method="post" action="${action}">
				${hiddenFields({ ...fields, action: 'revoke', client_id })}
				<p>${untrusted(name)} loses access to your account at once. To get it back, it must ask you again.</p>
				<div class="actions"><button class="danger">Revoke access</button></div>
			</form>
		</details>
	</section>`;
}
