import type { IncomingMessage } from 'node:http';

/** An error response of the host itself, or its redirect. */
export type HttpError = {
	readonly status: number;
	readonly text: string;
	readonly allow?: string;
	readonly location?: string;
};

/** A request that the host may pass on. */
export type ValidRequest = {
	/** Path and query, beginning with `/`. */
	readonly target: string;
	/** Declared bytes of the body; 0: none, Infinity: chunked. */
	readonly length: number;
};

const badTarget: HttpError = { status: 400, text: 'The request target must be a path or a URL of this server.' };
const badHost: HttpError = { status: 400, text: 'Send exactly one Host header.' };
const unknownHost: HttpError = { status: 421, text: 'This server does not have the name in the Host header.' };
const otherOrigin: HttpError = { status: 307, text: 'The pages of this server are at its origin.' };
const badVersion: HttpError = { status: 400, text: 'This server supports HTTP/1.1 and HTTP/1.0.' };
const badCoding: HttpError = { status: 400, text: 'The only supported transfer coding is chunked.' };
const notByTls: HttpError = {
	status: 400,
	text: 'This server takes only what a proxy received by HTTPS: X-Forwarded-Proto must be https.'
};
const tooManyHeaders: HttpError = { status: 431, text: 'The request has too many header lines.' };

/**
 * Checks a request's target (HT-10), Host (HT-08), HTTP version and transfer coding (RFC 9112, sections 2.3 and 6.1), and the
 * number of its headers. A browser that opens a page under another name of this server is redirected to its origin, since
 * forms and cookies only work there.
 * @param hosts `host[:port]` in lower case, each name of this server
 * @param origin `https://host[:port]`
 * @param maxHeaderCount header lines that a request may have
 * @param isBehindTlsProxy whether a proxy ends TLS. It says in `X-Forwarded-Proto` that it did.
 */
export function validateRequest(
	request: IncomingMessage,
	hosts: ReadonlySet<string>,
	origin: string,
	maxHeaderCount: number,
	isBehindTlsProxy = false
): ValidRequest | HttpError {
	const { rawHeaders, url = '' } = request;
	if (rawHeaders.length > maxHeaderCount * 2) return tooManyHeaders;
	// Node reads 0.9 and 2.0 as 1.0 and 1.1. The status is not 505, because no input may cause a 5xx (HT-14).
	if (request.httpVersionMajor !== 1) return badVersion;
	let host: string | undefined;
	const protocols: string[] = [];
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
		} else if (name.length === 17) {
			if (name.toLowerCase() === 'transfer-encoding') {
				length = Infinity;
				codings.push(value);
			} else if (name.toLowerCase() === 'x-forwarded-proto') protocols.push(value);
		}
	}
	// Of several proxies each may add a line.
	const isByTls = protocols.length > 0 && protocols.every((protocol) => protocol === 'https');
	if (isBehindTlsProxy && !isByTls) return notByTls;
	// Node decodes only the chunks of "gzip, chunked". It rejects a coding that does not end in chunked.
	if (codings.length > 0 && /.,\s*chunked$/i.test(codings.join())) return badCoding;
	if (host === undefined && request.httpVersionMinor > 0) return badHost;
	if (host !== undefined && !hosts.has(host) && !hosts.has(host.toLowerCase())) return unknownHost;
	if (url.startsWith('/')) {
		const isOtherOrigin =
			isDocument && request.method === 'GET' && host?.toLowerCase() !== origin.slice('https://'.length);
		return isOtherOrigin ? { ...otherOrigin, location: `${origin}${url}` } : { target: url, length };
	}
	const absolute = /^https:\/\/([^/?#]*)([^]*)$/i.exec(url);
	if (!absolute) return badTarget;
	const [, authority = '', rest = ''] = absolute;
	if (!hosts.has(authority.toLowerCase())) return unknownHost;
	return { target: rest.startsWith('/') ? rest : `/${rest}`, length };
}

/**
 * The names of a server.
 * @param origin `https://host[:port]`
 * @param port where it listens
 * @param isOnLoopback whether only this machine reaches it; it then also has the machine's loopback names
 */
export function hostNames(origin: string, port: number, isOnLoopback: boolean): Set<string> {
	const { hostname, host } = new URL(origin);
	const names = [host];
	if (isOnLoopback) names.push(...['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`));
	if (host === hostname) names.push(`${hostname}:443`);
	if (isOnLoopback && port === 443) names.push('localhost', '127.0.0.1', '[::1]');
	return new Set(names);
}
