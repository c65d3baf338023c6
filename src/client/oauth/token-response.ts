import { ClientError } from './client-error.ts';
import type { IdentityClaims } from './id-token.ts';
import type { HttpResponse } from './send-request.ts';

/** Schemes of the `Authorization` header: that of section 5, and that of RFC 6750. */
export type Scheme = 'OAuth' | 'Bearer';

/** The token response of section 2.4, normalized. */
export type TokenResponse = {
	/** The scheme that resources accept, by `token_type`. */
	readonly scheme: Scheme;
	readonly access_token: string;
	readonly refresh_token: string | null;
	/** What the token covers; null: the response did not say. */
	readonly scope: readonly string[] | null;
	/** Lifetime of the access token in milliseconds; null: unknown, so it is used until the service rejects it. */
	readonly lifetime: number | null;
	/** What the verified ID token says. Absent without one. */
	readonly claims?: IdentityClaims;
};

/** Reads the fields of a token response in XML; undefined if it is none. */
export type TokenXmlParser = (text: string) => Readonly<Record<string, unknown>> | undefined;

const maxLifetimeSeconds = 30 * 24 * 3600;

/**
 * Reads `expires_in` as milliseconds, at most 30 days.
 * @param value seconds, as a number or as text
 * @returns null for a value that is missing, not a number, or not positive
 * @example
 * parseExpiresIn('3920'); // 3920000
 * parseExpiresIn(-1); // null
 */
export function parseExpiresIn(value: unknown): number | null {
	const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) return null;
	return Math.min(seconds, maxLifetimeSeconds) * 1000;
}

/**
 * Converts a response of the token endpoint to what oauth4webapi accepts: JSON with a `token_type` (section 2.4 does not
 * promise one) and an `expires_in` that is a positive number or absent.
 * @param response JSON, or XML if `parseXml` is given
 * @throws {ClientError} `unexpected_response` if a success is neither
 * @example
 * const headers = new Headers({ 'content-type': 'application/json' });
 * const response = normalizeTokenResponse({ status: 200, headers, text: '{"access_token":"a","expires_in":"60"}' });
 * await response.json(); // { token_type: 'OAuth', access_token: 'a', expires_in: 60 }
 */
export function normalizeTokenResponse({ status, headers, text }: HttpResponse, parseXml?: TokenXmlParser): Response {
	const isSuccess = status === 200;
	const fields = isXml(headers) ? parseXml?.(text) : parseJsonObject(text);
	if (isSuccess ? fields === undefined : status < 400) throw new ClientError('unexpected_response', '', { status });
	const { expires_in, ...others } = fields ?? {};
	const lifetime = parseExpiresIn(expires_in);
	const defaults = isSuccess ? { token_type: 'OAuth' } : {};
	const body = { ...defaults, ...others, ...(lifetime === null ? {} : { expires_in: lifetime / 1000 }) };
	const requestId = headers.get('x-request-id');
	return new Response(JSON.stringify(body), {
		status,
		// Without WWW-Authenticate: with it oauth4webapi would not read the error code in the body.
		headers: { 'content-type': 'application/json', ...(requestId === null ? {} : { 'x-request-id': requestId }) }
	});
}

/**
 * Whether a response says that it is XML.
 * @example
 * isXml(new Headers({ 'content-type': 'application/xml' })); // true
 */
export function isXml(headers: Headers): boolean {
	return (headers.get('content-type') ?? '').includes('xml');
}

function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
	} catch {
		return undefined;
	}
}

/** The part of an XML element that a token response needs. */
export type TokenXmlElement = {
	readonly name: string;
	readonly children: readonly { readonly name: string; readonly text: string }[];
};

/**
 * Optional: makes `TokenEndpoint` understand XML token responses, with root element `OAuth` and one child element for each
 * field (section 2.4). Pass the result as its `parseXml` option.
 * @param parse returns the root element of a document, undefined if it is not well-formed; `DOMParser` in a browser
 * @example
 * const parseXml = xmlTokenParser(parseRoot); // parseRoot reads the root element, for example with DOMParser
 * const tokenEndpoint = new TokenEndpoint(provider, client, { format: () => 'xml', parseXml });
 */
export function xmlTokenParser(parse: (text: string) => TokenXmlElement | undefined): TokenXmlParser {
	return (text) => {
		const root = parse(text);
		if (root?.name !== 'OAuth') return undefined;
		return Object.fromEntries(root.children.map(({ name, text: value }) => [name, value]));
	};
}
