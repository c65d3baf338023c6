import { responseNames } from '#api/protocol/authorization.ts';

/** A form that a browser posts. */
export type PostedForm = { readonly action: string; readonly fields: URLSearchParams };

/**
 * An authorization response as the form that a page posts for `response_mode=form_post` (OAuth 2.0 Form Post Response Mode, section 2).
 * @param url a redirect URI with the response in its query. What else the query has stays there.
 */
export function responseForm(url: string): PostedForm {
	const action = new URL(url);
	const fields = new URLSearchParams([...action.searchParams].filter(([name]) => responseNames.includes(name)));
	for (const name of responseNames) action.searchParams.delete(name);
	return { action: action.href, fields };
}
