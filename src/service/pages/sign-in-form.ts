import type { WorldAccount } from '../world/world.ts';
import { notice } from './elements.ts';
import { hiddenFields, html, type HiddenFields, type Html } from '#lib/html.ts';

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
