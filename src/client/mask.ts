/** What stands in place of a secret that is never shown. The service's own log masks alike, so that both ends can be paired. */
const hidden = '••••';

const tokens = /^(?:access_token|refresh_token|code|code_verifier|token|state)$/;
const passwords = /^(?:client_secret|password)$/;

/**
 * A token by its first characters: enough to follow it through a log, too few to use it.
 * @param token of any length; short ones vanish whole
 */
export function mask(token: string): string {
	return token.length > 20 ? `${token.slice(0, 6)}…` : hidden;
}

/**
 * An address with the secrets in its query masked.
 * @param address absolute
 */
export function maskUrl(address: string): string {
	const at = address.indexOf('?');
	return at < 0 ? address : `${address.slice(0, at)}?${maskForm(address.slice(at + 1))}`;
}

/**
 * A form body or query string with its secrets masked; everything else stays as it was sent.
 * @param form `name=value&name=value`
 */
export function maskForm(form: string): string {
	return form
		.split('&')
		.map((pair) => {
			const equals = pair.indexOf('=');
			const name = pair.slice(0, Math.max(equals, 0));
			if (passwords.test(name)) return `${name}=${hidden}`;
			return tokens.test(name) ? `${name}=${mask(pair.slice(equals + 1))}` : pair;
		})
		.join('&');
}

/**
 * A JSON or XML body with the tokens in it masked.
 * @param body as received
 */
export function maskBody(body: string): string {
	const json = /("(?:access_token|refresh_token|client_secret|code)"\s*:\s*")([^"]*)"/g;
	const xml = /<(access_token|refresh_token)>([^<]*)</g;
	return body
		.replace(json, (_, before: string, secret: string) => `${before}${mask(secret)}"`)
		.replace(xml, (_, name: string, secret: string) => `<${name}>${mask(secret)}<`);
}

/**
 * The value of a header, masked where it is a credential.
 * @param name in any case
 * @param value as sent
 */
export function maskHeader(name: string, value: string): string {
	if (!/^(?:authorization|cookie|set-cookie)$/i.test(name)) return value;
	const space = value.indexOf(' ');
	return space < 0 ? hidden : `${value.slice(0, space)} ${mask(value.slice(space + 1))}`;
}
