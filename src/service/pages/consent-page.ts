import { scopes } from '../scopes.ts';
import { html, type Html } from './html.ts';
import { untrusted } from './page.ts';
import { hiddenFields } from './sign-in-form.ts';

/** What the consent page shows. */
export type ConsentView = {
	/** Name of the application. */
	readonly application: string;
	readonly username: string;
	readonly permissions: readonly {
		readonly scope: string;
		/** True if the user granted it before. */
		readonly isGranted: boolean;
		readonly isRequested: boolean;
	}[];
	/** True if the application may get offline access. */
	readonly mayBeOffline: boolean;
	/** Undefined: the code is shown on a page. */
	readonly redirect_uri: string | undefined;
	readonly action: string;
	/** Hidden fields. */
	readonly fields: Readonly<Record<string, string>>;
};

/** The consent page: the permissions, which of them are already granted, and whether access is offline. */
export function consentContent(view: ConsentView): Html {
	const { username, action, fields } = view;
	const permissions = view.permissions.map(
		({ scope, isGranted, isRequested }) =>
			html`<li>
				<strong>${scopes.get(scope) ?? scope}</strong><span><code>${scope}</code></span
				>${isGranted ? html`<em class="granted">${isRequested ? 'already granted' : 'renewed'}</em>` : undefined}
			</li>`
	);
	return html`<h1>${untrusted(view.application)} wants access to your account</h1>
		<p class="lead">You are signed in as <strong>${username}</strong>. The application will be able to:</p>
		<ul class="permissions">
			${permissions}
		</ul>
		${view.mayBeOffline ? offlineNotice : undefined}
		${view.redirect_uri === undefined ? codeHint(view.application) : redirectHint(view.redirect_uri)}
		<form method="post" action="${action}">
			${hiddenFields(fields)}
			<div class="actions">
				<button class="primary" name="decision" value="approve">Allow</button
				><button name="decision" value="deny">Deny</button>
			</div>
		</form>
		<form class="inline" method="post" action="${action}">
			${hiddenFields(fields)}<button class="link" name="decision" value="switch">
				Not ${username}? Use another account
			</button>
		</form>`;
}

const offlineNotice = html`<p class="notice caution">
	<strong>Offline access.</strong> The application can use these permissions while you are signed out, until you revoke
	access in your account settings.
</p>`;

function redirectHint(uri: string): Html {
	return html`<dl class="facts">
		<div>
			<dt>You’ll be redirected to</dt>
			<dd><code>${uri}</code></dd>
		</div>
	</dl>`;
}

function codeHint(application: string): Html {
	return html`<p class="hint">Next, you’ll get a code to give to ${untrusted(application)}.</p>`;
}
