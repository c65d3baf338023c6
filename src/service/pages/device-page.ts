import { html, type Html } from '#api/html.ts';
import { notice, untrusted } from './elements.ts';

/** The form for the code that a device shows. @param problem why the last code led nowhere */
export function deviceCodeContent(action: string, username: string, problem: string | undefined): Html {
	return html`<h1>Connect a device</h1>
		<p class="lead">You are signed in as <strong>${username}</strong>. Enter the code that your device shows.</p>
		${problem === undefined ? undefined : notice('error', problem)}
		<form class="stack" method="get" action="${action}">
			<label><span>Code</span>
				<input name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus />
			</label>
			<div class="actions"><button class="primary">Continue</button></div>
		</form>`;
}

/** The page after the decision. @param application its name */
export function deviceDecidedContent(application: string, isAllowed: boolean): Html {
	return isAllowed
		? html`<h1>Device connected</h1>
				${notice('ok', html`${untrusted(application)} has access to your account.`)}
				<p class="hint">Go back to your device. You can close this window.</p>`
		: html`<h1>Access denied</h1>
				${notice('info', html`You denied access, so ${untrusted(application)} gets no token.`)}
				<p class="hint">You can close this window.</p>`;
}
