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
	readonly code: (input: SnippetInput) => string;
};

/** The query of the authorization URL, except for state and code_challenge. */
export function authorizationQuery(input: SnippetInput): string {
	const { client_id, redirect_uri, scope } = input;
	const access = offlineRequest(input) === 'authorization' ? { access_type: 'offline' } : {};
	const query = { response_type: 'code', client_id, redirect_uri, scope, ...access };
	return new URLSearchParams({ ...query, code_challenge_method: 'S256' }).toString();
}

/** The request that asks for offline access. Undefined where every exchange leads to a refresh token. */
export function offlineRequest({
	kind,
	dialect
}: Pick<SnippetInput, 'kind' | 'dialect'>): 'authorization' | 'token' | undefined {
	if (dialect.refreshFor === 'always') return undefined;
	return kind === 'web' ? 'authorization' : 'token';
}

/** Whether a client authenticates. Where it can, an installed application does not: its secret would be public (RFC 8252, section 8.5). */
export function hasSecret({ kind, dialect }: Pick<SnippetInput, 'kind' | 'dialect'>): boolean {
	return kind === 'web' || !dialect.authentication.includes('none');
}

/** Whether the user copies the code from a page. */
export function pastesCode({ redirect_uri }: Pick<SnippetInput, 'redirect_uri'>): boolean {
	return redirect_uri === outOfBandUri;
}

/** The URL of the metadata: the well-known path is before that of the issuer (RFC 8414, section 3.1). */
export function metadataUrl({ baseUrl }: Pick<SnippetInput, 'baseUrl'>): string {
	const { origin, pathname } = new URL(baseUrl);
	return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`;
}

/** The comment above the refresh. */
export function refreshComment({ dialect }: Pick<SnippetInput, 'dialect'>): string {
	return dialect.refresh === 'rotated'
		? 'Get a new access token. Store the new refresh token, too: each one works once.'
		: 'Get a new access token. Only the first exchange for a user returns a refresh token.';
}

/** What a program says where there is no refresh token. */
export function noRefreshToken({ dialect }: Pick<SnippetInput, 'dialect'>): string {
	return dialect.refreshFor === 'always'
		? 'The response has no refresh token.'
		: 'No refresh token. Revoke access and run it again to get one.';
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

/**
 * The port that a program can listen on for the authorization response.
 * @returns undefined: the redirect URI leads elsewhere, or to the out-of-band page
 */
export function loopbackPort(redirect_uri: string): number | undefined {
	const { protocol, hostname, port } = new URL(redirect_uri);
	return protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname) ? Number(port || 80) : undefined;
}

/** Asks for the URL of the authorization response. Nothing listens at a loopback address, so browsers show an error there. */
export function pastePrompt({ redirect_uri }: SnippetInput): string {
	return loopbackPort(redirect_uri) === undefined
		? 'Paste the URL that the browser was sent to: '
		: 'The browser then shows an error page, which is expected. Paste its URL: ';
}

/** A text as a literal in single quotes, for PHP and Ruby. */
export function singleQuoted(text: string): string {
	return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}

/** A text as a literal in double quotes, for languages that share the escapes of JSON. */
export function doubleQuoted(text: string): string {
	return JSON.stringify(text);
}

/** A text as one word of a shell. */
export function shellQuoted(text: string): string {
	return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
