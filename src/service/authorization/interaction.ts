import type { WireResponse } from '#wire/message.ts';
import { answerJson } from '../responses.ts';
import { mint } from '../token/tokens.ts';
import { wantsData } from '../negotiation.ts';
import { demoUsernames } from '../seed.ts';
import { consentContent } from '../pages/consent-page.ts';
import { html } from '../pages/html.ts';
import { answerPage, stranger, type Page } from '../pages/page.ts';
import { signInForm } from '../pages/sign-in-form.ts';
import { scopes } from '../scopes.ts';
import type { AuthCall } from './authorization-context.ts';
import { recogniseLater } from './session-cookie.ts';
import { grantedScopes } from './consent.ts';
import { originOf } from '../redirect-uris.ts';

/** How long an authorization request waits for its person, in milliseconds of the real clock. */
const pendingLifetime = 15 * 60 * 1000;

/** What went wrong with the last attempt to sign in. */
export type SignInProblem = { readonly status: number; readonly text: string; readonly username: string };

/** Holds the request under an unguessable id that belongs to this browser alone. */
export async function holdRequest(call: AuthCall): Promise<void> {
	const id = mint(call);
	const browser = recogniseLater(call, call.browser);
	const expires = call.options.now() + pendingLifetime;
	const asked = call.browser.session?.username;
	await call.sandbox.area.update('pending', call.options.digest(id), () => ({
		...call.asked,
		browser,
		asked,
		expires
	}));
	call.pendingId = id;
}

/** The sign-in page, or the consent page for whoever is signed in; the same as data for a program. */
export function ask(call: AuthCall, problem?: SignInProblem): WireResponse {
	const status = problem?.status ?? 200;
	if (wantsData(call.header('accept'))) return answerJson(call, status, dataOf(call, problem));
	return answerPage(call, status, call.browser.session === undefined ? signInPage(call, problem) : consentPage(call));
}

/** Where the forms of a pending request are sent. */
export function formAction(call: AuthCall): string {
	return `${call.sandbox.base_url}/ws/oauth2/auth/`;
}

function signInPage(call: AuthCall, problem: SignInProblem | undefined): Page {
	const form = signInForm({
		action: formAction(call),
		fields: { request: call.pendingId ?? '' },
		accounts: demoUsernames.map((username) => ({ username })),
		...(problem === undefined ? {} : { problem: problem.text, username: problem.username })
	});
	const content = html`<h1>Sign in</h1>
		<p class="lead">${stranger(call.application.name)} asks for access to your account. It never sees your password.</p>
		${form}`;
	return { title: 'Sign in · Tollgate', content, formOrigins: formOrigins(call) };
}

function consentPage(call: AuthCall): Page {
	return {
		title: 'Allow access? · Tollgate',
		content: consentContent(call, formAction(call), { request: call.pendingId ?? '' }),
		formOrigins: formOrigins(call)
	};
}

function formOrigins(call: AuthCall): string[] {
	const origin = originOf(call.asked.redirect_uri);
	return origin === undefined ? [] : [origin];
}

function dataOf(call: AuthCall, problem: SignInProblem | undefined): object {
	const username = call.browser.session?.username;
	const form = { method: 'POST', action: formAction(call), fields: { request: call.pendingId ?? '' } };
	const shared = {
		application: { client_id: call.application.client_id, name: call.application.name, kind: call.application.kind },
		redirect_uri: call.asked.redirect_uri,
		access_type: call.asked.offline ? 'offline' : 'online',
		permissions: grantedScopes(call.asked, call.grant).map((name) => ({
			name,
			meaning: scopes.get(name) ?? name,
			granted_before: call.grant?.scopes.includes(name) === true
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
