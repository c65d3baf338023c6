import type { WireResponse } from '#api/message.ts';
import { respondJson } from '../core/responses.ts';
import { prefersJson } from '../core/negotiation.ts';
import { consentContent, signInForm } from '../pages/sign-in-form.ts';
import { html } from '#lib/html.ts';
import { notice, type Page, pageTitle, respondPage, untrusted } from '../pages/page.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { meaningsOf } from '../sandbox/permissions.ts';
import type { Application, AuthorizationRequest } from '../sandbox/records.ts';
import { formSourceOf, isOutOfBand } from '../sandbox/redirect-uris.ts';
import { formUrlOf } from '../provider/provider-urls.ts';
import { randomToken } from '../token/tokens.ts';
import { type AuthorizationContext, grantedScopes } from './consent.ts';
import { mustSignIn } from './openid-request.ts';

/** How long an authorization stays pending, in milliseconds of the real clock. */
const pendingLifetime = 15 * 60 * 1000;

/** What permissions let an application do, by scope. */
type Meanings = ReadonlyMap<string, string>;

/** Why the last sign-in failed. */
export type SignInProblem = { readonly status: number; readonly text: string; readonly username: string };

/**
 * Stores the authorization request under a random id. Only this browser can continue it, or the one that signs in first.
 * @throws ProtocolError `too_many_attempts` for an address that has started too many on a public server
 */
export async function savePendingAuthorization(context: AuthorizationContext): Promise<void> {
	const weight = weightOf(context.authorizationRequest);
	// The user can wait, the application cannot do anything about it.
	context.canRedirect = false;
	if (context.options.adminKey !== undefined) await recordFailedAttempt(context, 'start_sign_in', '', weight);
	const id = randomToken(context, 'interaction');
	const expires = context.options.now() + pendingLifetime;
	const promptedUser = mustSignIn(context) ? undefined : context.browser.session?.username;
	await context.store.update('pending_authorization', context.options.digest(id), () => ({
		...context.authorizationRequest,
		flow: context.flow,
		browser: context.browser.id,
		promptedUser,
		weight,
		expires,
		createdBy: context.networkAddress
	}));
	context.pendingId = id;
}

/** What a request counts against the limit: 1, and 1 more for each 512 characters of its URI, state and resources. */
function weightOf({ redirect_uri, state = '', resources = [] }: AuthorizationRequest): number {
	return 1 + Math.floor((redirect_uri.length + state.length + resources.join('').length) / 512);
}

/** The sign-in page, or the consent page if a user is signed in. Programs that prefer JSON get the same as data. */
export async function renderInteraction(context: AuthorizationContext, problem?: SignInProblem): Promise<WireResponse> {
	const status = problem?.status ?? 200;
	const meanings = await meaningsOf(context);
	if (prefersJson(context.header('accept')))
		return respondJson(context, status, interactionData(context, meanings, problem));
	return respondPage(
		context,
		status,
		mustSignIn(context) ? signInPage(context, problem) : consentPage(context, meanings)
	);
}

/** The URL of the forms of a pending authorization. */
export function formAction(context: AuthorizationContext): string {
	return formUrlOf(context, '/ws/oauth2/auth/');
}

function signInPage(context: AuthorizationContext, problem: SignInProblem | undefined): Page {
	const { world } = context.sandbox.seed;
	const { expectedUser, loginHint } = context.authorizationRequest.openid ?? {};
	const form = signInForm({
		action: formAction(context),
		fields: { interaction: context.pendingId ?? '' },
		accounts: world.accounts,
		problem: problem?.text,
		username: problem?.username ?? expectedUser ?? loginHint
	});
	const content = html`<h1>Sign in</h1>
		<p class="lead">
			You have left ${untrusted(context.application.name)}. It wants access to your ${world.brand.name} account, and never sees your
			password.
		</p>
		${expectedUser === undefined ? undefined : notice('info', html`The application asks you to sign in as <strong>${expectedUser}</strong>.`)}
		${world.texts.sign_in === undefined ? undefined : html`<p>${world.texts.sign_in}</p>`}
		${form}`;
	return { title: pageTitle(context, 'Sign in'), content, formOrigins: formOrigins(context), isFlowStep: true };
}

function consentPage(context: AuthorizationContext, meanings: Meanings): Page {
	const { application, authorizationRequest, grant } = context;
	// An installed application may ask for offline access in its token request, after the user has decided (section 5.5).
	const mayBeOffline = authorizationRequest.offline || application.kind === 'installed';
	// A web application gets a refresh token once for each grant (section 3.1).
	const isFirstOnly = application.kind === 'web' && context.dialect.refreshFor === 'first_offline';
	const hasRefreshToken = isFirstOnly && grant !== undefined && grant.refresh.length > 0;
	const { brand, accounts, icons, texts } = context.sandbox.seed.world;
	const username = context.browser.session?.username ?? '';
	const content = consentContent({
		brand,
		application: application.name,
		icon: icons.get(application.client_id),
		username,
		account: accounts.find((account) => account.username === username),
		text: texts.consent,
		permissions: grantedScopes(authorizationRequest, grant).map((scope) => ({
			scope,
			meaning: meanings.get(scope) ?? scope,
			isGranted: grant?.scopes.includes(scope) === true,
			isRequested: authorizationRequest.scopes.includes(scope)
		})),
		offline: !mayBeOffline ? 'no' : hasRefreshToken ? 'granted' : 'possible',
		documentHost: documentHost(application),
		redirect_uri: isOutOfBand(authorizationRequest.redirect_uri) ? undefined : authorizationRequest.redirect_uri,
		hidesOrigin: context.weaknesses.has('consent_without_host'),
		action: formAction(context),
		fields: { interaction: context.pendingId ?? '' }
	});
	return { title: pageTitle(context, 'Allow access?'), content, formOrigins: formOrigins(context), isFlowStep: true };
}

/** Users know an unregistered client by this host (CIMD, section 6.4). */
function documentHost({ client_id, document_until }: Application): string | undefined {
	// A snapshot may say it of another client.
	return document_until === undefined || !URL.canParse(client_id) ? undefined : new URL(client_id).host;
}

function formOrigins(context: AuthorizationContext): string[] {
	return [formSourceOf(context.authorizationRequest.redirect_uri) ?? []].flat();
}

function interactionData(
	context: AuthorizationContext,
	meanings: Meanings,
	problem: SignInProblem | undefined
): object {
	const { application, authorizationRequest, grant } = context;
	const username = mustSignIn(context) ? undefined : context.browser.session?.username;
	const shared = {
		application: {
			client_id: application.client_id,
			name: application.name,
			kind: application.kind,
			document_host: documentHost(application)
		},
		redirect_uri: authorizationRequest.redirect_uri,
		access_type: authorizationRequest.offline ? 'offline' : 'online',
		permissions: grantedScopes(authorizationRequest, grant).map((name) => ({
			name,
			meaning: meanings.get(name) ?? name,
			granted_before: grant?.scopes.includes(name) === true
		})),
		form: { method: 'POST', action: formAction(context), fields: { interaction: context.pendingId ?? '' } }
	};
	if (username !== undefined) return { step: 'consent', username, ...shared, inputs: ['decision'] };
	return {
		step: 'sign_in',
		...shared,
		inputs: ['username', 'password'],
		problem: problem?.text
	};
}
