import type { WireResponse } from '#api/message.ts';
import { hiddenFields, html, type HiddenFields, type Html } from '#lib/html.ts';
import { FormContext, loadSession, readForm, requireSameOrigin, signOut } from '../access/cookies.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { check, endpoint, when } from '../core/runner.ts';
import { timingSafeEqual } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { redirect, requireMethod } from '../core/responses.ts';
import { readIdTokenHint } from '../identity/id-token.ts';
import { respondFormError } from '../pages/error-page.ts';
import { notice, pageTitle, respondPage, untrusted } from '../pages/page.ts';
import type { Application } from '../sandbox/records.ts';
import { appendQuery, formSourceOf } from '../sandbox/redirect-uris.ts';

/** What a client sends (OpenID Connect RP-Initiated Logout 1.0, section 2). */
const parameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'];

class EndSessionContext extends FormContext {
	/** The client that asks. Set by `logout.client_known`. */
	application: Application | undefined;
	/** The user that a valid `id_token_hint` names. Set by `logout.client_known`. */
	hintedUser: string | undefined;
}

const checkMethod = check<EndSessionContext>('logout.method_allowed', (context) =>
	requireMethod(context, 'GET', 'POST')
);

/** A browser leaves its session cookie out of a POST from another site, and sends it with the GET that follows. */
const sendOn = check<EndSessionContext>('logout.form_sent_on', (context) => {
	const form = readForm(context);
	if (form.has('csrf_token')) return context.note('The form of the confirmation page');
	const pairs = parameters.flatMap((name) => {
		const raw = form.raw(name);
		return raw === undefined ? [] : [`${name}=${raw.replaceAll('#', '%23')}`];
	});
	return redirect(context, `${endSessionUrl(context)}?${pairs.join('&')}`);
});

const readParameters = check<EndSessionContext>('logout.parameters_valid', (context) => {
	context.fields = isForm(context) ? readForm(context) : new FormFields(context.query);
	const wrong = context.fields.duplicated(parameters) ?? context.fields.malformed(parameters);
	if (wrong !== undefined)
		throw new ProtocolError(
			'invalid_request',
			`The parameter ${wrong} was sent twice or is not percent-encoded UTF-8.`
		);
});

const identifyClient = check<EndSessionContext>('logout.client_known', async (context) => {
	const sent = context.fields.get('id_token_hint');
	const hint = sent === undefined ? undefined : await readIdTokenHint(context, context.redact(sent));
	const client_id = context.fields.get('client_id') ?? hint?.client_id;
	if (hint !== undefined && hint.client_id !== client_id)
		throw new ProtocolError('invalid_request', 'id_token_hint was issued to another client than client_id.', {
			cause: 'client_ids_differ',
			received: [client_id ?? ''],
			expected: [hint.client_id]
		});
	context.hintedUser = hint?.username;
	context.application = client_id === undefined ? undefined : await context.store.get('application', client_id);
	context.client_id = context.application?.client_id;
	if (client_id !== undefined && context.application === undefined)
		throw new ProtocolError('invalid_request', 'No application has this client_id.', {
			cause: 'unknown_client',
			received: [client_id]
		});
	const hinted = sent === undefined ? 'no id_token_hint' : hint === undefined ? 'unknown id_token_hint' : hint.username;
	context.note(`${client_id ?? 'No client'}, ${hinted}`);
});

const checkRedirectUri = check<EndSessionContext>('logout.redirect_uri_registered', ({ fields, application }) => {
	const sent = fields.get('post_logout_redirect_uri');
	if (sent === undefined) return;
	const registered = application?.post_logout_redirect_uris ?? [];
	if (registered.includes(sent)) return;
	throw new ProtocolError(
		'invalid_request',
		application === undefined
			? 'post_logout_redirect_uri needs a client: send client_id, or an id_token_hint of this service.'
			: 'post_logout_redirect_uri is not registered for this application. It must match exactly.',
		{ cause: application === undefined ? 'missing_client' : 'not_registered', received: [sent], expected: registered }
	);
});

const confirm = check<EndSessionContext>('logout.confirmed', (context) => {
	const username = context.browser.session?.username;
	if (username === undefined) return context.note('No user is signed in');
	if (isForm(context)) {
		requireSameOrigin(context);
		if (timingSafeEqual(context.fields.get('csrf_token') ?? '', context.csrfToken))
			return context.note(`${username} confirmed`);
		throw new ProtocolError(
			'forbidden',
			'This form belongs to another session. Open the link of the application again.',
			{
				cause: 'other_session'
			}
		);
	}
	if (context.hintedUser === username) return context.note(`id_token_hint names ${username}`);
	return askUser(context, username);
});

const endSession = check<EndSessionContext>('logout.signed_out', async (context) => {
	await signOut(context, context.browser);
	const uri = context.fields.get('post_logout_redirect_uri');
	if (uri === undefined)
		return respondPage(context, 200, {
			title: pageTitle(context, 'Signed out'),
			content: signedOutContent(context.sandbox.seed.world.brand.name, context.application?.name)
		});
	const state = context.fields.get('state');
	return redirect(context, state === undefined ? uri : appendQuery(uri, [`state=${encodeURIComponent(state)}`]));
});

/** Sign-out that a client asks for, `GET` or `POST /ws/oauth2/logout` (OpenID Connect RP-Initiated Logout 1.0). */
export const endSessionEndpoint = endpoint(
	EndSessionContext,
	[
		rejectBlacklisted,
		requireMetadata,
		checkMethod,
		...when(isForm, [sendOn]),
		readParameters,
		identifyClient,
		checkRedirectUri,
		loadSession(),
		confirm,
		endSession
	],
	respondFormError
);

function isForm({ request }: EndSessionContext): boolean {
	return request.method === 'POST';
}

/** The page that asks the user, because nothing proves that the client knows who is signed in. */
function askUser(context: EndSessionContext, username: string): WireResponse {
	const { fields, application } = context;
	const uri = fields.get('post_logout_redirect_uri');
	const names = ['post_logout_redirect_uri', 'state'] as const;
	const sent = names.flatMap((name) => {
		const value = fields.get(name);
		return value === undefined ? [] : [[name, value] as const];
	});
	const client = application === undefined ? {} : { client_id: application.client_id };
	return respondPage(context, 200, {
		title: pageTitle(context, 'Sign out?'),
		content: confirmSignOutContent({
			brand: context.sandbox.seed.world.brand.name,
			application: application?.name,
			username,
			action: endSessionUrl(context),
			fields: { csrf_token: context.csrfToken, ...client, ...Object.fromEntries(sent) },
			account: `${context.sandbox.base_url}/account`
		}),
		formOrigins: uri === undefined ? [] : [formSourceOf(uri) ?? []].flat()
	});
}

function endSessionUrl({ sandbox }: EndSessionContext): string {
	return `${sandbox.base_url}/ws/oauth2/logout`;
}

/** What the page asks before a sign-out. */
type ConfirmSignOut = {
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
function confirmSignOutContent({ brand, application, username, action, fields, account }: ConfirmSignOut): Html {
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
function signedOutContent(brand: string, application: string | undefined): Html {
	return html`<h1>Signed out</h1>
		${notice('ok', `You are signed out of ${brand}.`)}
		<p class="hint">${application === undefined ? 'The application' : untrusted(application)} may keep its own session. Tokens stay valid until they expire or you revoke access.</p>`;
}
