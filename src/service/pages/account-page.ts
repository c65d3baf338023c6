import { demoUsernames } from '../seed.ts';
import type { Grant } from '../records.ts';
import { scopes } from '../scopes.ts';
import { displayDate } from '../time.ts';
import { html, type Html } from './html.ts';
import { untrusted } from './page.ts';
import { hiddenFields, signInForm } from './sign-in-form.ts';

/** What a person sees of one grant. */
export type GrantView = Pick<Grant, 'client_id' | 'scopes' | 'offline' | 'since'> & { readonly name: string };

type Hidden = Readonly<Record<string, string>>;

/** Account settings before anybody has signed in. */
export function signInContent(action: string, fields: Hidden, failedAs: string | undefined): Html {
	const form = signInForm({
		action,
		fields: { ...fields, action: 'sign-in' },
		accounts: demoUsernames.map((username) => ({ username })),
		...(failedAs === undefined
			? {}
			: { username: failedAs, problem: 'User name and password do not match. Try again.' })
	});
	return html`<h1>Account settings</h1>
		<p class="lead">Sign in to see which applications may act for you.</p>
		${form}`;
}

/** Account settings: which applications may do what since when, and a way to take the access away. */
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
	No application has access to this account. An application asks for it when you sign in through it.
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
				<dt>Since</dt>
				<dd>${displayDate(grant.since)}</dd>
			</div>
			<div>
				<dt>While you are away</dt>
				<dd>${grant.offline ? 'Yes, it may act when you are absent' : 'No, only while you use it'}</dd>
			</div>
		</dl>
		<form method="post" action="${action}">
			${hiddenFields({ ...fields, action: 'revoke', client_id: grant.client_id })}
			<div class="actions"><button class="danger">Take the access away</button></div>
		</form>
	</section>`;
}
