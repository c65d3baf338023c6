import type { Dialect } from '#api/dialect.ts';
import { outOfBandUri } from '#client/oauth/client-registration.ts';
import type { Language } from '#ui/display/highlight.ts';

export type SnippetInput = {
	readonly baseUrl: string;
	readonly client_id: string;
	readonly redirect_uri: string;
	readonly kind: 'web' | 'installed';
	/** The permission to request. */
	readonly scope: string;
	/** The path of a character, percent-encoded. */
	readonly path: string;
	readonly dialect: Dialect;
};

/**
 * A complete program for the authorization code flow. It reads the secret, where it needs one, from the environment variable
 * CLIENT_SECRET. Where the service has metadata, the program takes the endpoints from there.
 */
export type Snippet = {
	/** The name of the language or the tool. */
	readonly label: string;
	/** The file to save it in. */
	readonly file: string;
	readonly language: Language;
	/** What to install first. */
	readonly install?: string;
	/** The command that runs the file. */
	readonly run: string;
	/** The environment variable that names a file with a certificate authority to trust. */
	readonly trust: string;
	/** The program, as a file of `src/content/snippets`. */
	readonly template: string;
	/** A text as a literal of the language. */
	readonly quote: (text: string) => string;
};

/** A text as a literal in single quotes, for PHP and Ruby. */
export function singleQuoted(text: string): string {
	return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}

/** A text as one word of a shell. */
export function shellQuoted(text: string): string {
	return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The program of a snippet for an application. */
export function programOf({ template, quote }: Snippet, input: SnippetInput): string {
	return fillTemplate(template, { ...textsOf(input, quote), ...conditionsOf(input) });
}

/** What the programs need to know of an application and its service. */
function textsOf(input: SnippetInput, quote: Snippet['quote']) {
	const { baseUrl, client_id, redirect_uri, scope, path, dialect } = input;
	const { origin, pathname } = new URL(baseUrl);
	const port = loopbackPort(redirect_uri);
	const access = offlineIn(input) === 'authorization' ? { access_type: 'offline' } : {};
	const query = { response_type: 'code', client_id, redirect_uri, scope, ...access, code_challenge_method: 'S256' };
	return {
		baseUrl: quote(baseUrl),
		clientId: quote(client_id),
		redirectUri: quote(redirect_uri),
		// The well-known path is before that of the issuer (RFC 8414, section 3.1).
		metadataUrl: quote(`${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`),
		encodedIssuer: quote(encodeURIComponent(baseUrl)),
		host: new URL(redirect_uri).hostname,
		port: String(port),
		/** The query of the authorization URL, except for state and code_challenge. */
		query: new URLSearchParams(query).toString(),
		scope,
		path,
		tokenType: dialect.tokenType,
		// Nothing listens at a loopback address, so browsers show an error there.
		pastePrompt:
			port === undefined
				? 'Paste the URL that the browser was sent to: '
				: 'The browser then shows an error page, which is expected. Paste its URL: ',
		refreshComment:
			dialect.refresh === 'rotated'
				? 'Get a new access token. Store the new refresh token, too: each one works once.'
				: 'Get a new access token. Only the first exchange for a user returns a refresh token.',
		noRefreshToken:
			dialect.refreshFor === 'always'
				? 'The response has no refresh token.'
				: 'No refresh token. Revoke access and run it again to get one.'
	};
}

/** What decides about parts of the programs. */
function conditionsOf(input: SnippetInput) {
	const { redirect_uri, dialect } = input;
	return {
		hasSecret: hasSecret(input),
		offlineInAuthorization: offlineIn(input) === 'authorization',
		offlineInToken: offlineIn(input) === 'token',
		/** The user copies the code from a page. */
		pastesCode: redirect_uri === outOfBandUri,
		/** The program can receive the authorization response at a port. */
		listens: loopbackPort(redirect_uri) !== undefined,
		metadata: dialect.metadata,
		iss: dialect.iss,
		bearer: dialect.tokenType === 'Bearer',
		basic: dialect.authentication.includes('basic')
	};
}

/** The request that asks for offline access. Undefined where every exchange leads to a refresh token. */
function offlineIn({ kind, dialect }: SnippetInput): 'authorization' | 'token' | undefined {
	if (dialect.refreshFor === 'always') return undefined;
	return kind === 'web' ? 'authorization' : 'token';
}

/** A mark that is alone in its line. The line is left out. */
const lineOfMark = /^(\{\{[#^/]\w+\}\})\n/gm;
const part = /\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}/gs;

/** Fills in `{{name}}`. `{{#name}}…{{/name}}` stays where a condition holds, `{{^name}}…{{/name}}` where it does not. */
function fillTemplate(template: string, values: Readonly<Record<string, string | boolean>>): string {
	const choose = (text: string): string =>
		text.replace(part, (_, sign: string, name: string, inner: string) =>
			(sign === '#') === values[name] ? choose(inner) : ''
		);
	return choose(template.replace(lineOfMark, '$1')).replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
		String(values[name])
	);
}

/** Whether a client authenticates. Where it can, an installed application does not: its secret would be public (RFC 8252, section 8.5). */
export function hasSecret({ kind, dialect }: Pick<SnippetInput, 'kind' | 'dialect'>): boolean {
	return kind === 'web' || !dialect.authentication.includes('none');
}

/**
 * The redirect URI that a program of an application uses. An installed application gets a port to listen on (RFC 8252, section 7.3).
 */
export function redirectUriFor(
	{ kind, redirect_uris }: { readonly kind: 'web' | 'installed'; readonly redirect_uris: readonly string[] },
	dialect: Dialect
): string {
	const uri = redirect_uris.find((one) => dialect.outOfBand || one !== outOfBandUri) ?? redirect_uris[0] ?? '';
	if (kind === 'web' || !URL.canParse(uri) || loopbackPort(uri) === undefined) return uri;
	const url = new URL(uri);
	if (url.port === '') url.port = '8910';
	return url.href;
}

function loopbackPort(redirect_uri: string): number | undefined {
	const { protocol, hostname, port } = new URL(redirect_uri);
	return protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname) ? Number(port || 80) : undefined;
}
