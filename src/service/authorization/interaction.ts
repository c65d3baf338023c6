import type { WireResponse } from '#wire/message.ts';
import { respondJson } from '../responses.ts';
import { randomToken } from '../token/tokens.ts';
import { prefersJson } from '../negotiation.ts';
import { demoUsernames } from '../seed.ts';
import { consentContent } from '../pages/consent-page.ts';
import { html } from '../pages/html.ts';
import { respondPage, untrusted, type Page } from '../pages/page.ts';
import { signInForm } from '../pages/sign-in-form.ts';
import type { AuthorizationRequest } from '../records.ts';
import { scopes } from '../scopes.ts';
import type { AuthorizationContext } from './authorization-context.ts';
import { ensureCookie } from './session-cookie.ts';
import { grantedScopes } from './consent.ts';
import { originOf } from '../redirect-uris.ts';

/** How long an authorization request waits for its person, in milliseconds of the real clock. */
const pendingLifetime = 15 * 60 * 1000;

/** What went wrong with the last attempt to sign in. */
export type SignInProblem = { readonly status: number; readonly text: string; readonly username: string };

/** Holds the request under an unguessable id that belongs to this browser alone. */
export async function savePendingAuthorization(context: AuthorizationContext): Promise<void> {
	const id = randomToken(context);
	const browser = ensureCookie(context, context.browser);
	const expires = context.options.now() + pendingLifetime;
	const promptedUser = context.browser.session?.username;
	await context.sandbox.store.update('pending_authorization', context.options.digest(id), () => ({
		...context.authorizationRequest,
		browser,
		promptedUser,
		weight: weightOf(context.authorizationRequest),
		expires
	}));
	context.pendingId = id;
}

/** What a request counts against the limit: 1, and 1 more for each 512 characters of its URI and state. */
function weightOf({ redirect_uri, state = '' }: AuthorizationRequest): number {
	return 1 + Math.floor((redirect_uri.length + state.length) / 512);
}

/** The sign-in page, or the consent page for whoever is signed in; the same as data for a program. */
export function renderInteraction(context: AuthorizationContext, problem?: SignInProblem): WireResponse {
	const status = problem?.status ?? 200;
	if (prefersJson(context.header('accept'))) return respondJson(context, status, interactionData(context, problem));
	return respondPage(
		context,
		status,
		context.browser.session === undefined ? signInPage(context, problem) : consentPage(context)
	);
}

/** Where the forms of a pending request are sent. */
export function formAction(context: AuthorizationContext): string {
	return `${context.sandbox.base_url}/ws/oauth2/auth/`;
}

function signInPage(context: AuthorizationContext, problem: SignInProblem | undefined): Page {
	const form = signInForm({
		action: formAction(context),
		fields: { interaction: context.pendingId ?? '' },
		accounts: demoUsernames.map((username) => ({ username })),
		...(problem === undefined ? {} : { problem: problem.text, username: problem.username })
	});
	const content = html`<h1>Sign in</h1>
		<p class="lead">${untrusted(context.application.name)} asks for access to your account. It never sees your password.</p>
		${form}`;
	return { title: 'Sign in · Tollgate', content, formOrigins: formOrigins(context) };
}

function consentPage(context: AuthorizationContext): Page {
	return {
		title: 'Allow access? · Tollgate',
		content: consentContent(context, formAction(context), { interaction: context.pendingId ?? '' }),
		formOrigins: formOrigins(context)
	};
}

function formOrigins(context: AuthorizationContext): string[] {
	const origin = originOf(context.authorizationRequest.redirect_uri);
	return origin === undefined ? [] : [origin];
}

function interactionData(context: AuthorizationContext, problem: SignInProblem | undefined): object {
	const username = context.browser.session?.username;
	const form = { method: 'POST', action: formAction(context), fields: { interaction: context.pendingId ?? '' } };
	const shared = {
		application: {
			client_id: context.application.client_id,
			name: context.application.name,
			kind: context.application.kind
		},
		redirect_uri: context.authorizationRequest.redirect_uri,
		access_type: context.authorizationRequest.offline ? 'offline' : 'online',
		permissions: grantedScopes(context.authorizationRequest, context.grant).map((name) => ({
			name,
			meaning: scopes.get(name) ?? name,
			granted_before: context.grant?.scopes.includes(name) === true
		})),
		form
	};
	if (username !== undefined) return { step: 'consent', username, ...shared, inputs: ['decision'] };
	return {
		step: 'sign_in',
		...shared,
		inputs: ['username', 'password'],
		...(problem === undefined ? {} : { problem: problem.text })
	};
}
