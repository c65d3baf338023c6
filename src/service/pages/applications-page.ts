import type { ApplicationKind, ApplicationView } from '../records.ts';
import { html, type Html } from './html.ts';
import { untrusted } from './page.ts';
import { hiddenFields } from './sign-in-form.ts';

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
	readonly fields: Readonly<Record<string, string>>;
};

const kinds: Record<ApplicationKind, string> = { web: 'Web server application', installed: 'Installed application' };

/** The registered applications, and the form that registers one. */
export function applicationsContent(view: ApplicationsView): Html {
	const { draft } = view;
	return html`<h1>Applications</h1>
		<p class="lead">
			Register an application to get a <code>client_id</code> and a <code>client_secret</code> for your own client.
		</p>
		${view.applications === undefined ? undefined : list(view.applications)}
		<h2>Register an application</h2>
		${draft?.problem === undefined ? undefined : html`<p class="notice error" role="alert">${draft.problem}</p>`}
		<form class="stack" method="post" action="${view.action}">
			${hiddenFields(view.fields)}
			<label
				><span>Application name (shown on the consent page)</span
				><input name="name" value="${draft?.name ?? ''}" maxlength="80" required
			/></label>
			<label
				><span>Type</span
				><select name="kind">
					${kindOption('web', draft)}${kindOption('installed', draft)}
				</select></label
			>
			<label
				><span>Redirect URIs, one per line (not needed for installed applications)</span
				><textarea name="redirect_uris" rows="3" spellcheck="false" placeholder="https://my-app.example/callback">
${draft?.redirect_uris ?? ''}</textarea>
			</label>
			${view.needsKey ? html`<label><span>Sandbox key (ask the owner of the sandbox)</span><input name="key" type="password" autocomplete="off" required /></label>` : undefined}
			<div class="actions"><button class="primary">Register</button></div>
		</form>`;
}

/** The new application with its secret, which is shown only once. */
export function registeredContent(
	application: ApplicationView & { readonly client_secret: string },
	warnings: readonly string[],
	back: string
): Html {
	return html`<h1>${untrusted(application.name)} is registered</h1>
		<p class="notice caution">
			<strong>Copy the secret now.</strong> You won’t be able to see it again.
		</p>
		<dl class="facts">
			<div>
				<dt>client_id</dt>
				<dd><code id="client_id">${application.client_id}</code></dd>
			</div>
			<div>
				<dt>client_secret</dt>
				<dd><code id="client_secret">${application.client_secret}</code></dd>
			</div>
			<div>
				<dt>Type</dt>
				<dd>${kinds[application.kind]}</dd>
			</div>
			<div>
				<dt>Redirect URIs</dt>
				<dd>${uriList(application.redirect_uris)}</dd>
			</div>
		</dl>
		${warnings.map((warning) => html`<p class="notice caution">${warning}</p>`)}
		<div class="actions"><a href="${back}">Back to applications</a></div>`;
}

function list(applications: readonly ApplicationView[]): readonly Html[] {
	return applications.map(
		(application) => html`<section class="grant">
<h2>${untrusted(application.name)}</h2>
<dl class="facts">
<div><dt>client_id</dt><dd><code>${application.client_id}</code></dd></div>
<div><dt>Type</dt><dd>${kinds[application.kind]}</dd></div>
<div><dt>Redirect URIs</dt><dd>${uriList(application.redirect_uris)}</dd></div>
</dl>
</section>`
	);
}

function uriList(uris: readonly string[]): readonly Html[] {
	return uris.map((uri) => html`<code>${uri}</code><br>`);
}

function kindOption(kind: ApplicationKind, draft: RegistrationDraft | undefined): Html {
	return draft?.kind === kind
		? html`<option value="${kind}" selected>${kinds[kind]}</option>`
		: html`<option value="${kind}">${kinds[kind]}</option>`;
}
