import type { Account } from '../records.ts';
import { demoPassword } from '../seed.ts';
import { html, type Html } from './html.ts';

/** What a sign-in form contains. */
export type SignInForm = {
	readonly action: string;
	/** Hidden fields. */
	readonly fields: Readonly<Record<string, string>>;
	/** Accounts that sign in with one click. */
	readonly accounts: readonly Pick<Account, 'username'>[];
	/** The username of a failed attempt. */
	readonly username?: string;
	readonly problem?: string;
};

/** The form with username and password, and a button for each demo account. */
export function signInForm(form: SignInForm): Html {
	const oneClick = form.accounts.map(
		({ username }) =>
			html`<form method="post" action="${form.action}">
				${hiddenFields(form.fields)} <input type="hidden" name="username" value="${username}" /><input
					type="hidden"
					name="password"
					value="${demoPassword}"
				/>
				<button>${username}</button>
			</form>`
	);
	return html`${form.problem === undefined ? undefined : html`<p class="notice error" role="alert">${form.problem}</p>`}
		<form class="stack" method="post" action="${form.action}">
			${hiddenFields(form.fields)}
			<label
				><span>Username</span
				><input
					name="username"
					value="${form.username ?? ''}"
					autocomplete="username"
					autocapitalize="none"
					spellcheck="false"
					maxlength="64"
					required
					autofocus
			/></label>
			<label
				><span>Password</span
				><input name="password" type="password" autocomplete="current-password" maxlength="256" required
			/></label>
			<div class="actions"><button class="primary">Sign in</button></div>
		</form>
		${
			oneClick.length === 0
				? undefined
				: html`<section class="demo">
						<p class="hint">Or use a demo account (password <code>${demoPassword}</code>):</p>
						<div class="accounts">${oneClick}</div>
					</section>`
		}`;
}

/** Hidden inputs. */
export function hiddenFields(fields: Readonly<Record<string, string>>): readonly Html[] {
	return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}
