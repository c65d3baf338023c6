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
};

/** A complete program for the authorization code flow. It reads the secret from the environment variable CLIENT_SECRET. */
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
export function authorizationQuery({ client_id, redirect_uri, kind, scope }: SnippetInput): string {
	const access = kind === 'web' ? { access_type: 'offline' } : {};
	const query = { response_type: 'code', client_id, redirect_uri, scope, ...access };
	return new URLSearchParams({ ...query, code_challenge_method: 'S256' }).toString();
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
