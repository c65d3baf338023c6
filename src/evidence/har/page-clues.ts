/** The errors that pages of authorization servers name. Pages are not kept, only which of these texts they have. */
const clues: readonly (readonly [name: string, pattern: RegExp])[] = [
	[
		'redirect_uri_mismatch',
		/redirect_uri_mismatch|bad_redirect_uri|AADSTS50011|AADSTS900971|invalid parameter:\s{0,3}redirect_uri|callback url mismatch|redirect uri (?:included )?is not valid|'redirect_uri' (?:parameter )?must be|redirect_uri MUST match|invalid[ _]redirect[ _]?uri|redirect_uri did not match/i
	],
	['invalid_client', /invalid_client|AADSTS700016|client not found|unknown client|app_not_found|invalid_client_id/i],
	['invalid_scope', /invalid_scope|AADSTS70011|AADSTS650053|invalid scopes?:/i],
	['access_denied', /access_denied|AADSTS65004|AADSTS50105|access blocked/i],
	['consent_required', /AADSTS65001|AADSTS90094|consent_required|admin approval required/i],
	[
		'cookie_missing',
		/cookie_not_found|cookie not found|cookies are (?:disabled|blocked|required)|AADSTS50058|enable cookies/i
	],
	[
		'session_expired',
		/AADSTS50089|session (?:has )?expired|page has expired|restart login cookie not found|login_required|flow token expired/i
	],
	['pkce_required', /code challenge required|code_challenge (?:is )?required|missing parameter:\s{0,3}code_challenge/i],
	['unsupported_response_type', /unsupported_response_type|AADSTS700054|response_type ['"]?\w+['"]? is not enabled/i],
	['unauthorized_client', /unauthorized_client|AADSTS50194/i],
	['invalid_request', /invalid_request/i]
];

/** The names of errors in the text of a page, in the order of their table. */
export function pageCluesIn(page: string): string[] {
	const text = page.slice(0, 100_000);
	return clues.flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
}
