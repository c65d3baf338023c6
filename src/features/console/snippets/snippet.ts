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
	readonly code: (input: ProgramInput) => string;
};

/** What the programs of all languages need to know of an application and its service. */
export type ProgramInput = SnippetInput & {
	/** Whether the client authenticates, see `hasSecret`. */
	readonly hasSecret: boolean;
	/** The request that asks for offline access. Undefined where every exchange leads to a refresh token. */
	readonly offlineIn: 'authorization' | 'token' | undefined;
	/** The query of the authorization URL, except for state and code_challenge. */
	readonly query: string;
	/** Whether the user copies the code from a page. */
	readonly pastesCode: boolean;
	/** The port that a program can listen on for the authorization response. Undefined: the redirect URI leads elsewhere. */
	readonly port: number | undefined;
	/** Asks for the URL of the authorization response. Nothing listens at a loopback address, so browsers show an error there. */
	readonly pastePrompt: string;
	/** The URL of the metadata: the well-known path is before that of the issuer (RFC 8414, section 3.1). */
	readonly metadataUrl: string;
	/** The comment above the refresh. */
	readonly refreshComment: string;
	/** What a program says where there is no refresh token. */
	readonly noRefreshToken: string;
};

/** What programs for an application need to know. */
export function programInput(input: SnippetInput): ProgramInput {
	const { baseUrl, client_id, redirect_uri, scope, kind, dialect } = input;
	const { origin, pathname } = new URL(baseUrl);
	const isAlways = dialect.refreshFor === 'always';
	const offlineIn = isAlways ? undefined : kind === 'web' ? 'authorization' : 'token';
	const access = offlineIn === 'authorization' ? { access_type: 'offline' } : {};
	const query = { response_type: 'code', client_id, redirect_uri, scope, ...access, code_challenge_method: 'S256' };
	const port = loopbackPort(redirect_uri);
	return {
		...input,
		hasSecret: hasSecret(input),
		offlineIn,
		query: new URLSearchParams(query).toString(),
		pastesCode: redirect_uri === outOfBandUri,
		port,
		pastePrompt:
			port === undefined
				? 'Paste the URL that the browser was sent to: '
				: 'The browser then shows an error page, which is expected. Paste its URL: ',
		metadataUrl: `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`,
		refreshComment:
			dialect.refresh === 'rotated'
				? 'Get a new access token. Store the new refresh token, too: each one works once.'
				: 'Get a new access token. Only the first exchange for a user returns a refresh token.',
		noRefreshToken: isAlways
			? 'The response has no refresh token.'
			: 'No refresh token. Revoke access and run it again to get one.'
	};
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
