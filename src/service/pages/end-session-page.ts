import { hiddenFields, html, type HiddenFields, type Html } from '#api/html.ts';
import { notice, untrusted } from './elements.ts';

/** What the page asks before a sign-out. */
export type ConfirmSignOut = {
	/** Names of the service and of the application that asks. */
	readonly brand: string;
	readonly application: string | undefined;
	readonly username: string;
	readonly action: string;
	readonly fields: HiddenFields;
	/** URL of the account settings. */
	readonly account: string;
};

/** The page that asks the user to confirm a sign-out. */
export function confirmSignOutContent({ brand, application, username, action, fields, account }: ConfirmSignOut): Html {
	return html`<h1>Sign out of ${brand}?</h1>
		<p class="lead">
			${application === undefined ? 'An application' : untrusted(application)} asks to sign you out. You are signed in as <strong>${username}</strong>.
		</p>
		<form method="post" action="${action}">
			${hiddenFields(fields)}
			<div class="actions"><button class="primary">Sign out</button><a class="button" href="${account}">Stay signed in</a></div>
		</form>`;
}

/** The page after a sign-out, if the client named no URI. */
export function signedOutContent(brand: string, application: string | undefined): Html {
	return html`<h1>Signed out</h1>
		${notice('ok', `You are signed out of ${brand}.`)}
		<p class="hint">${application === undefined ? 'The application' : untrusted(application)} may keep its own session. Tokens stay valid until they expire or you revoke access.</p>`;
}
