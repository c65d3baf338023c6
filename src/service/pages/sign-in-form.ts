import type { WorldAccount } from '../world/world.ts';
import { notice } from './elements.ts';
import { hiddenFields, html, type HiddenFields, type Html } from '#api/html.ts';

export type SignInForm = {
	readonly action: string;
	readonly fields: HiddenFields;
	/** Those of the world. The ones with a published password sign in with one click. */
	readonly accounts: readonly WorldAccount[];
	/** The username of a failed attempt. */
	readonly username?: string | undefined;
	readonly problem?: string | undefined;
};

/** The form with username and password, and a button for each demo account. */
export function signInForm({ action, fields, accounts, username = '', problem }: SignInForm): Html {
	const published = accounts.filter(({ isPublished }) => isPublished);
	return html`${problem === undefined ? undefined : notice('error', problem)}
		<form class="stack" method="post" action="${action}" data-guide="sign-in.form">
			${hiddenFields(fields)}
			<label><span>Username</span>
				<input name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required${username === '' ? html` autofocus` : undefined} />
			</label>
			<label><span>Password</span>
				<input name="password" type="password" autocomplete="current-password" maxlength="256" required${username === '' ? undefined : html` autofocus`} />
			</label>
			<div class="actions"><button class="primary">Sign in</button></div>
		</form>
		${published.length === 0 ? undefined : oneClick(published, action, fields)}`;
}

function oneClick(accounts: readonly WorldAccount[], action: string, fields: HiddenFields): Html {
	const [password = '', ...others] = new Set(accounts.map((account) => account.password));
	const shared = others.length > 0 ? undefined : html` (password <code>${password}</code>)`;
	const buttons = accounts.map(
		(account, at) =>
			html`<form method="post" action="${action}">
				${hiddenFields({ ...fields, username: account.username, password: account.password })}<button class="wraps"${at === 0 ? html` data-guide="sign-in.account"` : undefined}>${labelOf(account)}</button>
			</form>`
	);
	return html`<section class="demo">
			<p class="hint">Or use a demo account${shared}:</p>
			<div class="accounts">${buttons}</div>
		</section>`;
}

/** `ada`, or `Ada Okafor (ada, ada@partner.example): owns two characters`. */
function labelOf({ username, name, email, note }: WorldAccount): string {
	const more = [name && username, email].filter((one) => one !== undefined).join(', ');
	const who = more === '' ? username : `${name ?? username} (${more})`;
	return note === undefined ? who : `${who}: ${note}`;
}
