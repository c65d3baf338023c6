import type { WireResponse } from '#wire/message.ts';
import { answerJson, redirect } from '../responses.ts';
import { asciiUrl } from '../encoding.ts';
import type { ProtocolError } from '../errors.ts';
import { mint } from '../token/tokens.ts';
import { wantsData } from '../negotiation.ts';
import { codePage, refusalPage } from '../pages/out-of-band-page.ts';
import { errorPage } from '../pages/error-page.ts';
import type { Grant } from '../records.ts';
import type { AuthCall } from './authorization-context.ts';
import { grantedScopes } from './consent.ts';
import { isOutOfBand, withFields } from '../redirect-uris.ts';

/** Issues a code under a grant, and delivers it in the way that the redirect URI asks for (specification, 2.2). */
export async function deliverCode(call: AuthCall, grant: Grant): Promise<WireResponse> {
	const code = mint(call);
	const { client_id, redirect_uri, offline, challenge } = call.asked;
	const { lifetimes } = call.sandbox.world.settings;
	const dies = call.now() + lifetimes.code * 1000;
	await call.sandbox.area.update('code', call.options.digest(code), () => ({
		client_id,
		redirect_uri,
		username: grant.username,
		grant: grant.id,
		scopes: grantedScopes(call.asked, grant),
		offline,
		challenge,
		dies,
		used: undefined,
		expires: dies + lifetimes.access_token * 1000
	}));
	if (isOutOfBand(redirect_uri)) return codePage(call, code);
	return redirect(call, withFields(redirect_uri, [`code=${code}`, ...statePair(call)]));
}

/** Tells the application that the person said no (specification, sections 2.2 and 7). */
export function deliverRefusal(call: AuthCall): WireResponse {
	const { redirect_uri } = call.asked;
	if (isOutOfBand(redirect_uri)) return refusalPage(call);
	return redirect(call, withFields(redirect_uri, ['error=access_denied', ...statePair(call)]));
}

/**
 * Tells of an error: by redirect once client_id and redirect_uri are known to be good, else on a page in place
 * (RFC 6749, section 4.1.2.1). A program that asks for JSON is told in JSON.
 */
export function deliverError(call: AuthCall, error: ProtocolError): WireResponse {
	const isData = wantsData(call.header('accept'));
	const location = call.redirectable && error.status < 500 ? errorLocation(call, error) : undefined;
	if (location !== undefined)
		return isData ? answerJson(call, 200, { step: 'redirect', location }) : redirect(call, location);
	if (isData) {
		const data = { error: error.code, error_description: error.message };
		return answerJson(call, error.status, data, error.headers);
	}
	return errorPage(call, error);
}

function errorLocation(call: AuthCall, error: ProtocolError): string | undefined {
	if (isOutOfBand(call.asked.redirect_uri)) return undefined;
	const description = `error_description=${encodeURIComponent(error.message)}`;
	return withFields(call.asked.redirect_uri, [`error=${error.code}`, description, ...statePair(call)]);
}

/** The state exactly as it came: still encoded, and bytes that may not stand in a header encoded one by one. */
function statePair(call: AuthCall): string[] {
	const { state } = call.asked;
	if (state === undefined) return [];
	const written = state.replace(/[^\x21-\x7e]/gu, (character) => {
		const byte = character.charCodeAt(0);
		return byte > 255 ? asciiUrl(character) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
	});
	return [`state=${written}`];
}
