import { isNavigation } from './navigation.ts';
import { openidScope } from '#api/identity-scopes.ts';
import { readIdTokenHint } from '../identity/id-token.ts';
import { check, whenStandard } from '../core/runner.ts';
import { type ErrorCode, ProtocolError } from '../core/errors.ts';
import type { OpenidRequest } from '../sandbox/records.ts';
import type { Cause } from '#api/checks.ts';
import { type AuthorizationContext, consentNotNeeded } from './consent.ts';

/** The longest nonce, in characters. */
const longestNonce = 512;
/** Values of `prompt`. `select_account` is a sign-in: the sign-in page is where a user chooses an account. */
export const prompts = ['none', 'login', 'consent', 'select_account'];

/** The parameters of OpenID Connect. They have no effect without the scope `openid`. */
export const openidParameters = ['nonce', 'prompt', 'max_age', 'id_token_hint', 'login_hint'];
/** The longest user name of a sign-in form, in characters. */
const longestUsername = 64;

/** Whether a request asks for an ID token, in a dialect that has them. */
export function asksForId({ dialect, authorizationRequest }: AuthorizationContext): boolean {
	return dialect.metadata && authorizationRequest.scopes.includes(openidScope);
}

/** Whether the parameters of a request for an ID token are read. A provider whose consent decides about refresh tokens has `prompt` in all requests. */
function readsPrompt(context: AuthorizationContext): boolean {
	return asksForId(context) || context.dialect.refreshFor === 'offline_consent';
}

/** Whether a web application sends a nonce, which it may use in place of PKCE (RFC 9700, section 2.1.1). */
export function hasNonceInstead(context: AuthorizationContext): boolean {
	return context.application.kind === 'web' && asksForId(context) && context.fields.get('nonce') !== undefined;
}

/** Whether the user must sign in before the request goes on. */
export function mustSignIn({ browser, authorizationRequest }: AuthorizationContext): boolean {
	const { openid } = authorizationRequest;
	const expected = openid?.expectedUser;
	return (
		browser.session === undefined ||
		openid?.mustSignIn === true ||
		(expected !== undefined && browser.session.username !== expected)
	);
}

/** Reads what a request for an ID token adds. It needs the session, because `max_age` is about it. */
export const readOpenidRequest = whenStandard(readsPrompt, [
	check<AuthorizationContext>('auth.openid_parameters_valid', async (context) => {
		const nonce = context.fields.get('nonce');
		if (nonce !== undefined && nonce.length > longestNonce)
			throw invalid('nonce can have at most 512 characters.', 'nonce_too_long', `${nonce.length} characters`);
		const sent = context.fields.get('prompt');
		const asked = (sent ?? '').split(' ').filter((value) => value !== '');
		if (asked.some((value) => !prompts.includes(value)))
			throw invalid('prompt has an unknown value. Use none, login, consent or select_account.', 'unknown_prompt', sent);
		if (asked.length > 1 && asked.includes('none'))
			throw invalid('prompt=none cannot be combined with another value.', 'none_with_others', sent);
		const isOld = isSignInOld(context);
		const expectedUser = await readExpectedUser(context);
		const loginHint = context.fields.get('login_hint');
		const openid: OpenidRequest = {
			nonce,
			expectedUser,
			loginHint: loginHint !== undefined && loginHint.length <= longestUsername ? loginHint : undefined,
			isSilent: asked.includes('none'),
			mustSignIn: isOld || asked.includes('login') || asked.includes('select_account'),
			mustConsent: asked.includes('consent')
		};
		context.authorizationRequest = { ...context.authorizationRequest, openid };
		context.note(
			`${nonce === undefined ? 'No nonce' : 'With nonce'}, prompt ${sent ?? 'not sent'}${isOld ? ', the sign-in is older than max_age' : ''}${expectedUser === undefined ? '' : `, for ${expectedUser}`}`
		);
	})
]);

/** The user of `id_token_hint`. */
async function readExpectedUser(context: AuthorizationContext): Promise<string | undefined> {
	const sent = context.fields.get('id_token_hint');
	if (sent === undefined) return undefined;
	const hint = await readIdTokenHint(context, context.redact(sent));
	if (hint?.client_id === context.application.client_id) return hint.username;
	throw new ProtocolError(
		'invalid_request',
		'id_token_hint is no ID token that this service issued to this client, or its key is no longer published. Leave it out.',
		{ cause: 'unknown_id_token' }
	);
}

/** Rejects a silent request that needs a page (OpenID Connect Core 1.0, section 3.1.2.6). */
export const rejectPage = whenStandard<AuthorizationContext>(
	({ authorizationRequest: { openid } }) => openid?.isSilent === true,
	[
		check('auth.no_page_needed', (context) => {
			// Browsers send frames of other sites no cookie, so the service does not know the session of the user.
			if (mustSignIn(context) && /^i?frame$/.test(context.header('sec-fetch-dest') ?? ''))
				context.note(
					context.header('cookie') === undefined
						? 'The user must sign in. The request came from a frame, and the browser sent no cookie of the service'
						: 'The user must sign in. The request came from a frame'
				);
			if (mustSignIn(context))
				throw required('login_required', 'The user must sign in, which needs a page.', 'login_required');
			if (context.application.kind === 'installed')
				throw required(
					'interaction_required',
					'Users always decide about an installed application, which needs a page.',
					'installed_application'
				);
			if (!consentNotNeeded(context))
				throw required('consent_required', 'The user must consent, which needs a page.', 'consent_required');
			if (!isNavigation(context))
				throw required(
					'interaction_required',
					'Codes are issued to navigations only. Send the browser here, no script and no frame.',
					'no_navigation'
				);
		})
	]
);

/** Whether the user signed in longer ago than the client accepts. */
function isSignInOld({ fields, browser, sandbox }: AuthorizationContext): boolean {
	const sent = fields.get('max_age');
	if (sent === undefined) return false;
	if (!/^\d{1,10}$/.test(sent)) throw invalid('max_age must be a number of seconds.', 'malformed_max_age', sent);
	const authTime = browser.session?.authTime ?? -Infinity;
	// 0 is the same as prompt=login.
	return Number(sent) === 0 || sandbox.seconds() - authTime > Number(sent);
}

function invalid(description: string, cause: Cause, received = ''): ProtocolError {
	return new ProtocolError('invalid_request', description, { cause, received: [received] });
}

function required(code: ErrorCode, description: string, cause: Cause): ProtocolError {
	return new ProtocolError(code, `${description} Send the request without prompt=none.`, { cause });
}
