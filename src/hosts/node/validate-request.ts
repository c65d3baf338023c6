import type { IncomingMessage } from 'node:http';

/** Why a request is answered by the host itself. */
export type HttpError = {
	readonly status: number;
	readonly text: string;
	readonly allow?: string;
	readonly location?: string;
};

/** What the host must know of a request before anybody answers it. */
export type ValidRequest = {
	/** Path and query, beginning with `/`. */
	readonly target: string;
	/** Bytes of the body as declared; 0: none, Infinity: in chunks of unknown number. */
	readonly length: number;
};

const badTarget: HttpError = {
	status: 400,
	text: 'The request target is neither a path nor an address of this server.'
};
const badHost: HttpError = { status: 400, text: 'A request has exactly one Host header.' };
const elsewhere: HttpError = { status: 421, text: 'This server does not go by the name in the Host header.' };
const moved: HttpError = { status: 307, text: 'The pages of this server are at its origin.' };
const version: HttpError = { status: 400, text: 'This server speaks HTTP/1.1, and HTTP/1.0 to those who do.' };
const coding: HttpError = { status: 400, text: 'A body comes as it is or chunked here, in no other transfer coding.' };
const tooMany: HttpError = { status: 431, text: 'The request has too many header lines.' };

/**
 * Lets a request in, or says why not: by its target (HT-10), its Host (HT-08), its version and the coding of its body (RFC
 * 9112, sections 2.3 and 6.1), and the number of its headers. A person who opens a page under another name of this server
 * is sent to its origin: only there do forms and cookies work.
 * @param hosts `host[:port]` in lower case, each name this server goes by
 * @param origin `https://host[:port]`
 * @param headerCount the most header lines that a request may have
 */
export function validateRequest(
	request: IncomingMessage,
	hosts: ReadonlySet<string>,
	origin: string,
	headerCount: number
): ValidRequest | HttpError {
	const { rawHeaders, url = '' } = request;
	if (rawHeaders.length > headerCount * 2) return tooMany;
	// Node's parser reads 0.9 and 2.0 as well, as if they were 1.0 and 1.1. Not 505: nothing that is sent makes a 5xx (HT-14).
	if (request.httpVersionMajor !== 1) return version;
	let host: string | undefined;
	let length = 0;
	let isDocument = false;
	const codings: string[] = [];
	for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
		const name = rawHeaders[at] ?? '';
		const value = rawHeaders[at + 1] ?? '';
		if (name.length === 4 && name.toLowerCase() === 'host') {
			if (host !== undefined) return badHost;
			host = value;
		} else if (name.length === 14) {
			if (name.toLowerCase() === 'content-length') length = Number(value);
			else if (name.toLowerCase() === 'sec-fetch-dest') isDocument = value === 'document';
		} else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
			length = Infinity;
			codings.push(value);
		}
	}
	// Node takes the chunks off and leaves the rest packed as it came; what does not end in chunks it refuses itself.
	if (codings.length > 0 && /.,\s*chunked$/i.test(codings.join())) return coding;
	// HTTP/1.0 knows no Host; Node has refused an HTTP/1.1 request without one.
	if (host !== undefined && !hosts.has(host) && !hosts.has(host.toLowerCase())) return elsewhere;
	if (url.startsWith('/')) {
		const isOtherOrigin =
			isDocument && request.method === 'GET' && host?.toLowerCase() !== origin.slice('https://'.length);
		return isOtherOrigin ? { ...moved, location: `${origin}${url}` } : { target: url, length };
	}
	const absolute = /^https:\/\/([^/?#]*)([^]*)$/i.exec(url);
	if (!absolute) return badTarget;
	const [, authority = '', rest = ''] = absolute;
	if (!hosts.has(authority.toLowerCase())) return elsewhere;
	return { target: rest.startsWith('/') ? rest : `/${rest}`, length };
}

/**
 * The names a server goes by.
 * @param origin `https://host[:port]`
 * @param port where it listens
 * @param onLoopback whether it listens to this machine only; it then also goes by the names of the machine itself
 */
export function hostNames(origin: string, port: number, onLoopback: boolean): Set<string> {
	const { hostname, host } = new URL(origin);
	const names = [host];
	if (onLoopback) names.push(...['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`));
	if (host === hostname) names.push(`${hostname}:443`);
	if (onLoopback && port === 443) names.push('localhost', '127.0.0.1', '[::1]');
	return new Set(names);
}
