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
		/** True: the user granted it before. */
		readonly isGranted: boolean;
		readonly isRequested: boolean;
	}[];
	/** True: the application may get offline access. */
	readonly mayBeOffline: boolean;
	readonly redirect_uri: string;
	readonly action: string;
	/** Hidden fields. */
	readonly fields: Readonly<Record<string, string>>;
};

/** The consent page: exactly what will be granted, what was granted before, and for how long. */
export function consentContent(view: ConsentView): Html {
	const { username, action, fields } = view;
	const permissions = view.permissions.map(
		({ scope, isGranted, isRequested }) =>
			html`<li>
				<strong>${scopes.get(scope) ?? scope}</strong><span><code>${scope}</code></span
				>${
					isGranted
						? html`<em class="granted">${isRequested ? 'granted before' : 'granted before, renewed now'}</em>`
						: undefined
				}
			</li>`
	);
	return html`<h1>${untrusted(view.application)} asks for access</h1>
		<p class="lead">You are signed in as <strong>${username}</strong>. If you allow it, the application may:</p>
		<ul class="permissions">
			${permissions}
		</ul>
		${view.mayBeOffline ? offlineNotice : undefined}
		<dl class="facts">
			<div>
				<dt>The answer goes to</dt>
				<dd><code>${view.redirect_uri}</code></dd>
			</div>
		</dl>
		<form method="post" action="${action}">
			${hiddenFields(fields)}
			<div class="actions">
				<button class="primary" name="decision" value="approve">Allow</button
				><button name="decision" value="deny">Don’t allow</button>
			</div>
		</form>
		<form class="inline" method="post" action="${action}">
			${hiddenFields(fields)}<button class="link" name="decision" value="switch">
				Not ${username}? Use another account
			</button>
		</form>`;
}

const offlineNotice = html`<p class="notice caution">
	<strong>Also while you are away.</strong> The application may act with these permissions when you are absent, until
	you take the access away in your account settings.
</p>`;
