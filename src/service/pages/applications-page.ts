import type { ApplicationKind, ApplicationView } from '../records.ts';
import { isOutOfBand } from '../redirect-uris.ts';
import { codeList, copyButton, facts, hiddenFields, notice, untrusted, type HiddenFields } from './elements.ts';
import { html, type Html } from './html.ts';

/** The input of the registration form, which is shown again with an error. */
export type RegistrationDraft = {
	readonly name: string;
	readonly kind: ApplicationKind;
	readonly redirect_uris: string;
	readonly problem?: string;
};

export type ApplicationsView = {
	/** Undefined if the caller may not see them. */
	readonly applications: readonly ApplicationView[] | undefined;
	readonly needsKey: boolean;
	readonly draft: RegistrationDraft | undefined;
	readonly action: string;
	readonly fields: HiddenFields;
};

const kinds: Record<ApplicationKind, string> = { web: 'Web server application', installed: 'Installed application' };

/** The registered applications, and the form that registers one. */
export function applicationsContent({ applications = [], needsKey, draft, action, fields }: ApplicationsView): Html {
	const option = (kind: ApplicationKind) =>
		html`<option value="${kind}"${draft?.kind === kind ? html` selected` : undefined}>${kinds[kind]}</option>`;
	return html`<h1>Applications</h1>
		<p class="lead">
			Register an application to get a <code>client_id</code> and a <code>client_secret</code>.
		</p>
		${applications.map(
			(application) =>
				html`<section class="grant"><h2>${untrusted(application.name)}</h2>${applicationFacts(application)}</section>`
		)}
		<h2>Register an application</h2>
		${draft?.problem === undefined ? undefined : notice('error', draft.problem)}
		<form class="stack" method="post" action="${action}">
			${hiddenFields(fields)}
			<label
				><span>Application name (shown on the consent page)</span
				><input name="name" value="${draft?.name ?? ''}" maxlength="80" required
			/></label>
			<label
				><span>Type</span
				><select name="kind">
					${option('web')}${option('installed')}
				</select></label
			>
			<label
				><span>Redirect URIs, one per line (installed applications have fixed ones: leave it empty)</span
				><textarea name="redirect_uris" rows="3" spellcheck="false" placeholder="https://my-app.example/callback">
${draft?.redirect_uris ?? ''}</textarea>
			</label>
			${needsKey ? html`<label><span>Sandbox key (ask the owner of the sandbox)</span><input name="key" type="password" autocomplete="off" required /></label>` : undefined}
			<div class="actions"><button class="primary">Register</button></div>
		</form>`;
}

/**
 * The new application with its secret, which is shown only once, and its first request.
 * @param base_url of the sandbox
 */
export function registeredContent(
	application: ApplicationView & { readonly client_secret: string },
	warnings: readonly string[],
	base_url: string
): Html {
	const { name, client_id, client_secret, redirect_uris } = application;
	const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri: redirect_uris[0] ?? '' });
	const request = `${base_url}/ws/oauth2/auth/?${query.toString()}&scope=character_read&state=RANDOM`;
	return html`<h1>${untrusted(name)} is registered</h1>
		${notice('caution', html`<strong>Copy the secret now.</strong> You won’t be able to see it again.`)}
		${applicationFacts(
			application,
			html`<code id="client_secret">${client_secret}</code> ${copyButton('client_secret', 'Copy secret')}`
		)}
		${warnings.map((warning) => notice('caution', warning))}
		<h2>First request</h2>
		<p>Open this URL in a browser to ask a user for access. Replace <code>RANDOM</code> with a new random value for each request.</p>
		<pre class="code" id="request" tabindex="0">${request}</pre>
		<div class="actions">${copyButton('request', 'Copy URL')}<a class="button" href="${request}">Open it</a></div>
		<p>
			${isOutOfBand(redirect_uris[0] ?? '') ? 'Tollgate shows the code on a page.' : 'Tollgate sends the code to the redirect URI.'}
			<a href="${base_url}/docs/your-client/">Connect your client</a> shows how to exchange it for tokens.
		</p>
		<div class="actions"><a href="${base_url}/applications">Back to applications</a></div>`;
}

function applicationFacts({ client_id, kind, redirect_uris }: ApplicationView, client_secret?: Html): Html {
	return facts({
		client_id: html`<code id="client_id">${client_id}</code>`,
		client_secret,
		Type: kinds[kind],
		'Redirect URIs': codeList(redirect_uris)
	});
}
