import type { Account } from '../records.ts';
import { demoPassword } from '../seed.ts';
import { hiddenFields, notice, type HiddenFields } from './elements.ts';
import { html, type Html } from './html.ts';

/** What a sign-in form contains. */
export type SignInForm = {
	readonly action: string;
	readonly fields: HiddenFields;
	/** Accounts that sign in with one click. */
	readonly accounts: readonly Pick<Account, 'username'>[];
	/** The username of a failed attempt. */
	readonly username?: string;
	readonly problem?: string;
};

/** The form with username and password, and a button for each demo account. */
export function signInForm({ action, fields, accounts, username = '', problem }: SignInForm): Html {
	const oneClick = accounts.map(
		(account) =>
			html`<form method="post" action="${action}">
				${hiddenFields({ ...fields, username: account.username, password: demoPassword })}<button>${account.username}</button>
			</form>`
	);
	return html`${problem === undefined ? undefined : notice('error', problem)}
		<form class="stack" method="post" action="${action}">
			${hiddenFields(fields)}
			<label><span>Username</span>
				<input name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required autofocus />
			</label>
			<label><span>Password</span>
				<input name="password" type="password" autocomplete="current-password" maxlength="256" required />
			</label>
			<div class="actions"><button class="primary">Sign in</button></div>
		</form>
		<section class="demo">
			<p class="hint">Or use a demo account (password <code>${demoPassword}</code>):</p>
			<div class="accounts">${oneClick}</div>
		</section>`;
}
