import type { WorldAccount } from '../world/world.ts';
import { facts, iconOf, logoOf, notice, untrusted, urlCode } from './page.ts';
import { hiddenFields, type HiddenFields, html, type Html } from '#lib/html.ts';
import type { Brand } from '#api/world/brand.ts';
import { isLoopbackUri } from '../sandbox/redirect-uris.ts';

export type SignInForm = {
	readonly action: string;
	readonly fields: HiddenFields;
	/** Those of the world. The ones with a published password sign in with one click. */
	readonly accounts: readonly WorldAccount[];
	/** The username of a failed attempt. */
	readonly username?: string | undefined;
	readonly problem?: string | undefined;
};

/** A button for each demo account, and the form with username and password below. A world without demo accounts has the form only. */
export function signInForm({ action, fields, accounts, username = '', problem }: SignInForm): Html {
	const published = accounts.filter(({ isPublished }) => isPublished);
	const isFirst = published.length === 0;
	// The first button or field is focused, after a failed attempt the password.
	const focus = (isFocused: boolean) => (isFocused ? html` autofocus` : undefined);
	return html`${problem === undefined ? undefined : notice('error', problem)}
		${isFirst ? undefined : oneClick(published, action, fields, focus(username === ''))}
		<form class="${isFirst ? 'stack' : 'stack below'}" method="post" action="${action}" data-guide="sign-in.form">
			${hiddenFields(fields)}
			${isFirst ? undefined : html`<p class="hint">Or enter a username and password:</p>`}
			<label><span>Username</span>
				<input name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required${focus(isFirst && username === '')} />
			</label>
			<label><span>Password</span>
				<input name="password" type="password" autocomplete="current-password" maxlength="256" required${focus(username !== '')} />
			</label>
			<div class="actions"><button${isFirst ? html` class="primary"` : undefined}>Sign in</button></div>
		</form>`;
}

function oneClick(
	accounts: readonly WorldAccount[],
	action: string,
	fields: HiddenFields,
	focus: Html | undefined
): Html {
	const [password = '', ...others] = new Set(accounts.map((account) => account.password));
	const shared = others.length > 0 ? undefined : html` Their password is <code>${password}</code>.`;
	const button = (at: number) =>
		at === 0 ? html`class="primary wraps" data-guide="sign-in.account"${focus}` : html`class="wraps"`;
	const buttons = accounts.map(
		(account, at) =>
			html`<form method="post" action="${action}">
				${hiddenFields({ ...fields, username: account.username, password: account.password })}<button ${button(at)}>${labelOf(account)}</button>
			</form>`
	);
	return html`<section class="accounts">
			<p class="hint">Sign in with a demo account.${shared}</p>
			${buttons}
		</section>`;
}

/** `ada`, or `Ada Okafor (ada, ada@partner.example): owns two characters`. */
function labelOf({ username, name, email, note }: WorldAccount): string {
	const more = [name && username, email].filter((one) => one !== undefined).join(', ');
	const who = more === '' ? username : `${name ?? username} (${more})`;
	return note === undefined ? who : `${who}: ${note}`;
}

/** What the consent page shows. */
type ConsentView = {
	readonly brand: Brand;
	readonly application: string;
	/** Its icon as a data URI. Undefined: the first letter of the name. */
	readonly icon: string | undefined;
	readonly username: string;
	readonly account: Pick<WorldAccount, 'name' | 'email'> | undefined;
	/** A paragraph of the world. */
	readonly text: string | undefined;
	readonly permissions: readonly {
		readonly scope: string;
		/** What it lets the application do. */
		readonly meaning: string;
		/** True if the user granted it before. */
		readonly isGranted: boolean;
		readonly isRequested: boolean;
	}[];
	/** `possible`: the application may get offline access. `granted`: it has a refresh token already, and gets no other. */
	readonly offline: 'no' | 'possible' | 'granted';
	/** Of a client that is not registered: the host of the document that describes it. */
	readonly documentHost?: string | undefined;
	/** Undefined: the code is shown on a page. */
	readonly redirect_uri: string | undefined;
	/** What the device shows, if access is for a device. There is no redirect then. */
	readonly userCode?: string;
	/** Whether the page keeps from the user where the application or the device is. */
	readonly hidesOrigin?: boolean;
	readonly action: string;
	readonly fields: HiddenFields;
};

/** The consent page: the permissions, which of them are already granted, and whether access is offline. */
export function consentContent(view: ConsentView): Html {
	const { username, action, fields } = view;
	const application = untrusted(view.application);
	const { name, email } = view.account ?? {};
	const details = [name && username, email].filter((one) => one !== undefined).join(', ');
	const permissions = view.permissions.map(
		({ scope, meaning, isGranted, isRequested }) =>
			html`<li>
				<strong>${meaning}</strong><span><code>${scope}</code></span
				>${isGranted ? html`<em class="badge ok granted">${isRequested ? 'already granted' : 'renewed'}</em>` : undefined}
			</li>`
	);
	return html`<p class="parties" aria-hidden="true">
			<span class="tile">${iconOf(view.application, view.icon)}</span><span>→</span><span class="tile">${logoOf(view.brand)}</span>
		</p>
		<h1>${application} wants access to your account</h1>
		<p class="lead">
			You are signed in to ${view.brand.name} as <strong>${view.account?.name ?? username}</strong>${details === '' ? undefined : ` (${details})`}. ${application} will be able to:
		</p>
		${view.text === undefined ? undefined : html`<p>${view.text}</p>`}
		<ul class="permissions" data-guide="consent.permissions">
			${permissions}
		</ul>
		${view.offline === 'no' ? undefined : notice('caution', offlineText[view.offline])}${
			view.documentHost === undefined
				? undefined
				: notice(
						'caution',
						html`This application is not registered. It describes itself at <strong>${untrusted(view.documentHost)}</strong>. Allow
							access only if you trust this address.`
					)
		}
		${
			view.userCode !== undefined && view.hidesOrigin !== true
				? notice(
						'caution',
						html`Your device must show <code>${view.userCode}</code>. Deny access if it shows another code, or if you did not start this.`
					)
				: view.redirect_uri === undefined && view.userCode === undefined
					? html`<p class="hint">Next, you’ll get a code to give to ${application}.</p>`
					: view.hidesOrigin === true || view.redirect_uri === undefined
						? undefined
						: facts({ 'You’ll be redirected to': urlCode(view.redirect_uri) })
		}
		${
			view.redirect_uri !== undefined && leavesTls(view.redirect_uri)
				? notice('caution', 'The connection to this address is not encrypted. Others on the network can read the code.')
				: undefined
		}
		<form method="post" action="${action}">
			${hiddenFields(fields)}
			<div class="actions">
				<button class="primary" name="decision" value="approve" data-guide="consent.allow">Allow</button
				><button name="decision" value="deny" data-guide="consent.deny">Deny</button>
			</div>
		</form>
		<form class="inline" method="post" action="${action}">
			${hiddenFields(fields)}<button class="link" name="decision" value="switch">
				Not ${view.account?.name ?? username}? Use another account
			</button>
		</form>`;
}

/** Whether a redirect crosses a network without TLS (RFC 6749, section 3.1.2.1). */
function leavesTls(redirect_uri: string): boolean {
	return /^http:/i.test(redirect_uri) && !isLoopbackUri(redirect_uri);
}

const offlineText = {
	possible: html`<strong>Offline access.</strong> The application can use these permissions while you are signed out,
		until you revoke access in your account settings.`,
	granted: html`<strong>Offline access.</strong> The application already has a refresh token and gets no new one. If it
		lost the old one, revoke access in your account settings and sign in again.`
};
