import type { Grant } from '../sandbox/records.ts';
import { displayDate } from '../core/time.ts';
import type { WorldAccount } from '../world/world.ts';
import { facts, iconOf, notice, untrusted } from './page.ts';
import { hiddenFields, html, type HiddenFields, type Html } from '#lib/html.ts';
import { signInForm } from './sign-in-form.ts';

/** What the user sees of one grant. */
export type GrantView = Pick<Grant, 'client_id' | 'scopes' | 'offline' | 'since'> & {
	readonly last_used?: number | undefined;
	readonly name: string;
	/** A data URI. */
	readonly icon?: string | undefined;
};

/** Whose access was just revoked. */
export type RevokedAccess = { readonly name: string } | 'all';

export type AccountView = {
	readonly username: string;
	/** The name of the account in the world. */
	readonly name: string | undefined;
	readonly grants: readonly GrantView[];
	readonly action: string;
	readonly fields: HiddenFields;
	readonly revoked: RevokedAccess | undefined;
	/** What permissions let an application do, by scope. */
	readonly meanings: ReadonlyMap<string, string>;
};

/** The account settings before a user has signed in. */
export function signInContent(
	action: string,
	fields: HiddenFields,
	accounts: readonly WorldAccount[],
	failedAs: string | undefined
): Html {
	const form = signInForm({
		action,
		fields: { ...fields, action: 'sign-in' },
		accounts,
		username: failedAs,
		problem: failedAs === undefined ? undefined : 'Incorrect username or password.'
	});
	return html`<h1>Account settings</h1>
		<p class="lead">Sign in to see and revoke the access of applications.</p>
		${form}`;
}

/** The account settings: the applications with access, and buttons that revoke it. */
export function accountContent(view: AccountView): Html {
	const { username, name, grants, action, fields, revoked } = view;
	return html`<h1>Account settings</h1>
		<p class="lead">Signed in as <strong>${name ?? username}</strong>${name === undefined ? undefined : ` (${username})`}</p>
		${revoked === undefined ? undefined : revokedNotice(revoked)}
		<h2>Applications with access</h2>
		${
			grants.length === 0
				? notice('info', 'No application has access to your account. Applications that you authorize appear here.')
				: grants.map((grant) => grantSection(grant, view))
		}
		${grants.length > 1 ? revokeAll(grants.length, action, fields) : undefined}
		<form class="sign-out" method="post" action="${action}">
			${hiddenFields({ ...fields, action: 'sign-out' })}<button class="quiet">Sign out</button>
		</form>`;
}

function revokedNotice(revoked: RevokedAccess): Html {
	return revoked === 'all'
		? notice('ok', 'You revoked access for all applications. Their tokens no longer work.')
		: notice('ok', html`You revoked access for ${untrusted(revoked.name)}. Its tokens no longer work.`);
}

function grantSection({ name, client_id, icon, ...grant }: GrantView, { action, fields, meanings }: AccountView): Html {
	return html`<section class="grant">
		<h3><span class="tile" aria-hidden="true">${iconOf(name, icon)}</span>${untrusted(name)}</h3>
		<ul class="permissions">
			${grant.scopes.map((scope) => html`<li><strong>${meanings.get(scope) ?? scope}</strong><span><code>${scope}</code></span></li>`)}
		</ul>
		${facts({
			Access: grant.offline
				? 'Offline: also while you are away, until you revoke it'
				: 'Online: while you are signed in',
			'Authorized on': displayDate(grant.since),
			'Last used': grant.last_used === undefined ? 'Never' : displayDate(grant.last_used)
		})}
		${confirmation(
			'Revoke access…',
			html`${hiddenFields({ ...fields, action: 'revoke', client_id })}
				<p>${untrusted(name)} loses access to your account at once. To get it back, it must ask you again.</p>
				<div class="actions"><button class="danger">Revoke access</button></div>`,
			action
		)}
	</section>`;
}

function revokeAll(count: number, action: string, fields: HiddenFields): Html {
	return html`<section class="grant">
		${confirmation(
			'Revoke all access…',
			html`${hiddenFields({ ...fields, action: 'revoke-all' })}
				<p>All ${count} applications lose access to your account at once. To get it back, they must ask you again.</p>
				<div class="actions"><button class="danger">Revoke all access</button></div>`,
			action
		)}
	</section>`;
}

/** A form that a button opens, so that one click alone changes nothing. Works without scripts. */
function confirmation(label: string, form: Html, action: string): Html {
	return html`<details class="confirm" data-guide="account.revoke">
		<summary class="button danger">${label}</summary>
		<form method="post" action="${action}">${form}</form>
	</details>`;
}
