import { decodePercent } from '#lib/percent.ts';
import type { WireResponse } from '#api/message.ts';
import { redirect, respondJson } from '../core/responses.ts';
import { prefersJson } from '../core/negotiation.ts';
import { asciiUrl } from '../core/encoding.ts';
import type { ProtocolError } from '../core/errors.ts';
import { keepClient } from '../token/client-authentication.ts';
import { boundTo } from '../token/resource-indicators.ts';
import { lifetimeOf, randomToken } from '../token/tokens.ts';
import { html } from '#lib/html.ts';
import { codePage, deniedPage, errorPage, formPostPage } from '../pages/error-page.ts';
import type { UserGrant } from '../sandbox/records.ts';
import { type AuthorizationContext, grantedScopes } from './consent.ts';
import { takeResponseFault } from '../checks/faults.ts';
import { hardCode } from '../core/hard-code.ts';
import { issuerOfProvider } from '../provider/provider-urls.ts';
import { responseIssuer } from '../sandbox/agent-faults.ts';
import { fill, textOf, userValues } from '../provider/templates.ts';
import { appendQuery, isOutOfBand } from '../sandbox/redirect-uris.ts';

/** Parameters that other services add to an authorization response. */
const extraParameters = ['hd=example.test', 'session_state=3f6c0b7d.1a2b3c4d'];

/**
 * Issues a code under a grant, and sends it to the redirect URI or shows it on a page (specification, section 2.2).
 * @param hasDecided whether the user has just decided on the consent page
 */
export async function respondWithCode(
	context: AuthorizationContext,
	grant: UserGrant,
	hasDecided = false
): Promise<WireResponse> {
	const fault = await takeResponseFault(context, 'authorization_response');
	const token = randomToken(context, 'code');
	const code = fault?.kind === 'hard_code' ? context.redact(hardCode(token), 'code') : token;
	const { client_id, redirect_uri, offline, challenge, openid } = context.authorizationRequest;
	const authTime = context.browser.session?.authTime;
	const lifetime = lifetimeOf(context, 'code');
	const validUntil = context.now() + lifetime * 1000;
	const id = context.digestOf(code);
	const scopes = grantedScopes(context.authorizationRequest, grant);
	await context.store.update('code', id, () => ({
		flow: context.flow,
		client_id,
		redirect_uri,
		username: grant.username,
		grant: grant.id,
		scopes,
		offline: offline && (hasDecided || context.dialect.refreshFor !== 'offline_consent'),
		challenge,
		...boundTo(context.authorizationRequest),
		...(openid?.nonce !== undefined && { nonce: openid.nonce }),
		...(openid !== undefined && authTime !== undefined && { authTime }),
		validUntil,
		consumedBy: undefined,
		expires: validUntil + lifetimeOf(context, 'access_token') * 1000,
		createdBy: context.networkAddress
	}));
	context.grantId = grant.id;
	await keepClient(context, context.application);
	context.credentialEvents.push({
		type: 'issued',
		kind: 'code',
		id,
		grant: grant.id,
		scopes: [...scopes],
		expires: validUntil
	});
	if (isOutOfBand(redirect_uri)) {
		const issued = { code, lifetime };
		return codePage(context, context.application.name, issued, decodedState(context));
	}
	const extra = fault?.kind === 'extra_parameters' ? extraParameters : [];
	const first = hasDecided ? Object.entries(context.dialect.firstResponse ?? {}) : [];
	return deliver(context, [
		`code=${encodeURIComponent(code)}`,
		...statePair(context),
		...issuerPair(context),
		...first.map(([name, part]) => `${name}=${encodeURIComponent(textOf(fill(part, userValues(context))))}`),
		...extra
	]);
}

/**
 * Sends fields to the redirect URI, as the client asked: in its query, or as a form that the browser posts.
 * @param fields encoded pairs
 */
function deliver(context: AuthorizationContext, fields: readonly string[]): WireResponse {
	const { redirect_uri, responseMode } = context.authorizationRequest;
	const isData = prefersJson(context.header('accept'));
	if (responseMode === 'form_post') {
		const form = { method: 'POST', action: redirect_uri, fields: formFields(context, fields) } as const;
		return isData
			? respondJson(context, 200, { step: 'form_post', form })
			: formPostPage(context, context.application.name, form);
	}
	return redirect(context, appendQuery(redirect_uri, fields), context.weaknesses.has('redirect_307') ? 307 : 303);
}

/** Encoded pairs as the fields of a form. */
function formFields(context: AuthorizationContext, pairs: readonly string[]): Record<string, string> {
	const decode = (text: string) => decodePercent(text, true) ?? text;
	const fields = pairs.map((pair) => {
		const [name = '', ...value] = pair.split('=');
		return [name, decode(value.join('='))] as const;
	});
	decodedState(context);
	return Object.fromEntries(fields);
}

/**
 * The authorization response after the user denied access (specification, sections 2.2 and 7).
 * @param description for the developer of the client
 */
export function respondWithDenied(context: AuthorizationContext, description?: string): WireResponse {
	if (isOutOfBand(context.authorizationRequest.redirect_uri))
		return deniedPage(context, context.application.name, decodedState(context));
	const described = description === undefined ? [] : [`error_description=${encodeURIComponent(description)}`];
	return deliver(context, ['error=access_denied', ...described, ...statePair(context), ...issuerPair(context)]);
}

/**
 * An error response: by redirect once client_id and redirect_uri are checked, else a page (RFC 6749, section 4.1.2.1). Programs
 * that prefer JSON get JSON.
 */
export function respondWithError(context: AuthorizationContext, error: ProtocolError): WireResponse {
	const isData = prefersJson(context.header('accept'));
	if (context.canRedirect && error.status < 500 && !isOutOfBand(context.authorizationRequest.redirect_uri)) {
		const fields = errorFields(context, error);
		const { redirect_uri, responseMode } = context.authorizationRequest;
		if (!isData || responseMode !== undefined) return deliver(context, fields);
		return respondJson(context, 200, { step: 'redirect', location: appendQuery(redirect_uri, fields) });
	}
	if (isData) {
		const data = { error: error.code, error_description: error.message };
		return respondJson(context, error.status, data, error.headers);
	}
	return errorPage(context, error);
}

function errorFields(context: AuthorizationContext, error: ProtocolError): string[] {
	const description = `error_description=${encodeURIComponent(error.message)}`;
	return [`error=${error.code}`, description, ...statePair(context), ...issuerPair(context)];
}

/** The issuer, in a dialect that names it (RFC 9207, section 2). */
function issuerPair(context: AuthorizationContext): string[] {
	const issuer = context.dialect.iss ? responseIssuer(context, issuerOfProvider(context)) : undefined;
	return issuer === undefined ? [] : [`iss=${encodeURIComponent(issuer)}`];
}

/** The state as sent, still encoded. Bytes that a header cannot contain are percent-encoded one by one. */
function statePair(context: AuthorizationContext): string[] {
	const { state } = context.authorizationRequest;
	if (state === undefined) return [];
	const written = state.replace(/[^\x21-\x7e]/gu, (character) => {
		const byte = character.charCodeAt(0);
		return byte > 255 ? asciiUrl(character) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
	});
	return [`state=${context.redact(written, 'state')}`];
}

/** The state for display. */
function decodedState(context: AuthorizationContext): string | undefined {
	const { state } = context.authorizationRequest;
	const decoded = state && (decodePercent(state, true) ?? state);
	context.redact(html`${decoded}`.html, 'state');
	return decoded;
}
