import { errorTextEnd, errorTextFor, errorTextStart } from '#api/error-text.ts';

/**
 * Texts that no service may send, but the link of an attacker can contain, by their parameters. Clients show each of them.
 * @param baseUrl of the service, for the image
 */
export const forgedErrors = (baseUrl: string): Readonly<Record<string, string>> => ({
	error_description: `${errorTextStart} The user denied access. " onmouseover=canary() \\" ${errorTextEnd}`,
	error: errorTextFor(`${baseUrl}/ratelimiting?canary=link`),
	state: errorTextFor(`${baseUrl}/ratelimiting?canary=state`),
	error_uri: `${errorTextStart}//${errorTextEnd}`
});
