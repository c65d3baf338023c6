import type { AuthorizationContext } from '../authorization/authorization-context.ts';
import { grantedScopes } from '../authorization/consent.ts';
import { scopes } from '../scopes.ts';
import { html, type Html } from './html.ts';
import { untrusted } from './page.ts';
import { hiddenFields } from './sign-in-form.ts';

/** The page on which a person decides: exactly what will be granted, what was granted before, and for how long. */
export function consentContent(
	context: AuthorizationContext,
	action: string,
	fields: Readonly<Record<string, string>>
): Html {
	const granted = new Set(context.grant?.scopes ?? []);
	const permissions = grantedScopes(context.authorizationRequest, context.grant).map(
		(scope) =>
			html`<li>
				<strong>${scopes.get(scope) ?? scope}</strong><span><code>${scope}</code></span
				>${
					granted.has(scope)
						? html`<em class="granted"
								>${context.authorizationRequest.scopes.includes(scope) ? 'granted before' : 'granted before, renewed now'}</em
							>`
						: undefined
				}
			</li>`
	);
	const username = context.browser.session?.username ?? '';
	return html`<h1>${untrusted(context.application.name)} asks for access</h1>
		<p class="lead">You are signed in as <strong>${username}</strong>. If you allow it, the application may:</p>
		<ul class="permissions">
			${permissions}
		</ul>
		${mayBeOffline(context) ? offlineNotice : undefined}
		<dl class="facts">
			<div>
				<dt>The answer goes to</dt>
				<dd><code>${context.authorizationRequest.redirect_uri}</code></dd>
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

/** Section 5.5. An installed application may ask for offline access in its token request, when nobody can be asked any more. */
function mayBeOffline({ authorizationRequest, application }: AuthorizationContext): boolean {
	return authorizationRequest.offline || application.kind === 'installed';
}

const offlineNotice = html`<p class="notice caution">
	<strong>Also while you are away.</strong> The application may act with these permissions when you are absent, until
	you take the access away in your account settings.
</p>`;
