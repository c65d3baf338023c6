import { demoUsernames } from '../seed.ts';
import type { Grant } from '../records.ts';
import { scopes } from '../scopes.ts';
import { displayDate } from '../time.ts';
import { html, type Html } from './html.ts';
import { untrusted } from './page.ts';
import { hiddenFields, signInForm } from './sign-in-form.ts';

/** What the user sees of one grant. */
export type GrantView = Pick<Grant, 'client_id' | 'scopes' | 'offline' | 'since'> & { readonly name: string };

type Hidden = Readonly<Record<string, string>>;

/** The account settings before a user has signed in. */
export function signInContent(action: string, fields: Hidden, failedAs: string | undefined): Html {
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

/** The account settings: the applications with access, and a button that revokes it. */
export function accountContent(username: string, grants: readonly GrantView[], action: string, fields: Hidden): Html {
	return html`<h1>Account settings</h1>
		<form class="inline" method="post" action="${action}">
			${hiddenFields({ ...fields, action: 'sign-out' })}
			<p class="lead">Signed in as <strong>${username}</strong>. <button class="link">Sign out</button></p>
		</form>
		<h2>Applications with access</h2>
		${grants.length === 0 ? nothing : grants.map((grant) => grantSection(grant, action, fields))}`;
}

const nothing = html`<p class="notice">
	No application has access to your account. Applications that you authorize appear here.
</p>`;

function grantSection(grant: GrantView, action: string, fields: Hidden): Html {
	return html`<section class="grant">
		<h3>${untrusted(grant.name)}</h3>
		<ul class="permissions">
			${grant.scopes.map(
				(scope) =>
					html`<li>
						<strong>${scopes.get(scope) ?? scope}</strong><span><code>${scope}</code></span>
					</li>`
			)}
		</ul>
		<dl class="facts">
			<div>
				<dt>Authorized on</dt>
				<dd>${displayDate(grant.since)}</dd>
			</div>
			<div>
				<dt>Offline access</dt>
				<dd>${grant.offline ? 'Yes, until you revoke it' : 'No'}</dd>
			</div>
		</dl>
		<form method="post" action="${action}">
			${hiddenFields({ ...fields, action: 'revoke', client_id: grant.client_id })}
			<div class="actions"><button class="danger">Revoke access</button></div>
		</form>
	</section>`;
}
