/** Replaces a secret that is never shown. */
const hidden = '••••';

const tokens = /^(?:access_token|refresh_token|code|code_verifier|token)$/;
const passwords = /^(?:client_secret|password)$/;

/** Keeps the first six characters of a token: enough to recognize it in the log, too few to use it. */
function redactToken(token: string): string {
	return token.length > 20 ? `${token.slice(0, 6)}…` : hidden;
}

/** A URL without the secrets in its query. */
export function redactUrl(url: string): string {
	const at = url.indexOf('?');
	return at < 0 ? url : `${url.slice(0, at)}?${redactForm(url.slice(at + 1))}`;
}

/** A form body or query string without its secrets. Everything else stays as it was sent. */
export function redactForm(form: string): string {
	return form
		.split('&')
		.map((pair) => {
			const equals = pair.indexOf('=');
			const name = pair.slice(0, Math.max(equals, 0));
			if (passwords.test(name)) return `${name}=${hidden}`;
			return tokens.test(name) ? `${name}=${redactToken(pair.slice(equals + 1))}` : pair;
		})
		.join('&');
}

/** A JSON or XML body without its tokens. */
export function redactBody(body: string): string {
	const json = /("(?:access_token|refresh_token|client_secret|code)"\s*:\s*")([^"]*)"/g;
	const xml = /<(access_token|refresh_token)>([^<]*)</g;
	return body
		.replace(json, (_, before: string, secret: string) => `${before}${redactToken(secret)}"`)
		.replace(xml, (_, name: string, secret: string) => `<${name}>${redactToken(secret)}<`);
}

/** The value of a header, without a credential. */
export function redactHeader(name: string, value: string): string {
	if (!/^(?:authorization|cookie|set-cookie)$/i.test(name)) return value;
	const space = value.indexOf(' ');
	return space < 0 ? hidden : `${value.slice(0, space)} ${redactToken(value.slice(space + 1))}`;
}
