import { lookup as resolve } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { maxDocument } from '#api/client-document.ts';
import type { DocumentHost } from '#service/core/document-host.ts';
import { FairPlaces } from './fair-places.ts';
import { isLoopbackAddress, isPublicAddress } from './special-addresses.ts';

type Fetched = Awaited<ReturnType<DocumentHost['fetch']>>;

/** What a fetcher may do. */
export type DocumentHostOptions = {
	/** Whether documents may be on this machine: for a server that only this machine reaches. */
	readonly allowsLoopback: boolean;
	/** The addresses of a name. Default: those of the system. */
	readonly lookup?: (name: string) => Promise<readonly string[]>;
	/** How long one document may take in all, in milliseconds. Default: 5,000. */
	readonly timeLimit?: number;
};

/** The system resolves names in the threads that passwords and files need, and a name server can take long. */
const lookupPlaces = { inAll: 2, forSharer: 1, waiting: 20 };
const fetchPlaces = { inAll: 20, forSharer: 4, forHost: 4, waiting: 100, evicts: true } as const;
/** How long a document is cached that says nothing of it, and the longest time, in seconds. */
const freshness = { usual: 300, longest: 86_400 };

/**
 * Fetches documents of clients over HTTPS. A name is resolved once, and the connection goes to the address that was checked, so that a
 * second response of the name server has no effect. No redirect is followed, no proxy and no cookie is used.
 */
export function createDocumentHost(options: DocumentHostOptions): DocumentHost {
	const { allowsLoopback, lookup = systemLookup, timeLimit = 5000 } = options;
	const lookups = new FairPlaces({ ...lookupPlaces, timeLimit });
	const fetches = new FairPlaces({ ...fetchPlaces, timeLimit });
	/** `undefined`: no turn. A lookup that lasts holds its place until it ends, because nothing can end it. */
	async function resolveName(name: string, sharer: string): Promise<readonly string[] | undefined> {
		const place = await lookups.enter({ sharer, host: name });
		if (place === undefined) return undefined;
		const addresses = lookup(name).finally(place.leave);
		return withinTime(addresses, timeLimit).catch(() => []);
	}
	return {
		async locate(url, sharer) {
			const host = url.hostname.replace(/^\[|\]$/g, '');
			const addresses = isIP(host) > 0 ? [host] : await resolveName(host, sharer);
			if (addresses === undefined) return { cause: 'busy', found: host };
			const [address] = addresses;
			if (address === undefined) return { cause: 'no_address', found: host };
			if (allowsLoopback && addresses.every(isLoopbackAddress)) return { address };
			const wrong = addresses.find((one) => !isPublicAddress(one));
			// The name server of a private network knows addresses that only its machines should learn.
			if (wrong !== undefined) return { cause: 'not_public', found: allowsLoopback ? `${host}: ${wrong}` : host };
			const port = Number(url.port || 443);
			return port === 443 || port >= 1024 ? { address } : { cause: 'port_not_allowed', found: url.port };
		},
		async fetch(url, address, sharer) {
			const { host } = url;
			const place = await fetches.enter({ sharer, host });
			if (place === undefined) return { cause: 'busy', found: host };
			try {
				const fetched = await fetchFrom(url, address, timeLimit, place.evicted);
				return place.evicted.aborted ? { cause: 'busy', found: host } : fetched;
			} finally {
				place.leave();
			}
		}
	};
}

/** Settles within the time limit, whatever the server does. */
async function fetchFrom(url: URL, address: string, timeLimit: number, evicted: AbortSignal): Promise<Fetched> {
	const late = AbortSignal.timeout(timeLimit);
	const signal = AbortSignal.any([late, evicted]);
	try {
		return await until(signal, send(url, address, signal).then(read));
	} catch (fault) {
		if (late.aborted) return { cause: 'too_slow', found: `${timeLimit} ms` };
		const code = codeOf(fault);
		const isUntrusted = /CERT|ALTNAME|SIGNED|VERIFY|ISSUER/.test(code);
		return { cause: isUntrusted ? 'untrusted_certificate' : 'unreachable', found: code };
	}
}

function send(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
	const name = url.hostname.replace(/^\[|\]$/g, '');
	return new Promise((onResponse, onError) => {
		const sent = request(
			{
				host: address,
				port: url.port || 443,
				path: url.pathname + url.search,
				// Names of certificates and of the request are those of the URL.
				...(isIP(name) === 0 && { servername: name }),
				headers: {
					Host: url.host,
					Accept: 'application/json',
					'Accept-Encoding': 'identity',
					'User-Agent': 'Tollgate'
				},
				// Developers have no certificate for their own machine.
				rejectUnauthorized: !isLoopbackAddress(address),
				agent: false,
				maxHeaderSize: 8192,
				signal
			},
			onResponse
		);
		sent.on('error', onError);
		// Without a listener, Node ends a connection that switches protocols, and says so by `close` only.
		sent.on('upgrade', (response, socket) => {
			socket.destroy();
			onResponse(response);
		});
		sent.on('close', () => onError(new Error('closed')));
		sent.end();
	});
}

async function read(response: IncomingMessage): Promise<Fetched> {
	const { statusCode: status = 0, headers } = response;
	try {
		if (status >= 300 && status < 400) return { cause: 'redirected', found: String(status) };
		if (status !== 200) return { cause: 'wrong_status', found: String(status) };
		const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers;
		if (encoding !== 'identity') return { cause: 'compressed', found: encoding.slice(0, 40) };
		if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type))
			return { cause: 'wrong_content_type', found: type.slice(0, 100) };
		const length = Number(headers['content-length'] ?? 0);
		if (length > maxDocument) return { cause: 'too_large', found: `${length} bytes` };
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of response.iterator({ destroyOnReturn: true })) {
			if (!(chunk instanceof Uint8Array)) continue;
			size += chunk.length;
			if (size > maxDocument) return { cause: 'too_large', found: `more than ${maxDocument} bytes` };
			chunks.push(chunk);
		}
		return { body: Buffer.concat(chunks, size), maxAge: freshnessOf(headers) };
	} finally {
		response.destroy();
	}
}

/** For how many seconds a response is fresh (RFC 9111, section 4.2.1). */
function freshnessOf({ 'cache-control': control = '', age = '0', expires, date }: IncomingMessage['headers']): number {
	if (/(?:^|,)\s*(?:no-store|no-cache)/i.test(control)) return 0;
	const maxAge = /(?:^|,)\s*max-age="?(\d{1,10})/i.exec(control)?.[1];
	const lifetime =
		maxAge !== undefined
			? Number(maxAge)
			: expires === undefined
				? freshness.usual
				: (Date.parse(expires) - (Date.parse(date ?? '') || Date.now())) / 1000;
	const left = Math.floor(lifetime - (Number(age) || 0));
	return Number.isNaN(left) ? 0 : Math.min(Math.max(left, 0), freshness.longest);
}

async function systemLookup(name: string): Promise<readonly string[]> {
	return (await resolve(name, { all: true })).map(({ address }) => address);
}

function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
	return new Promise((done, fail) => {
		const timer = setTimeout(() => fail(new Error('too slow')), milliseconds);
		work.then(done, fail).finally(() => clearTimeout(timer));
	});
}

/** Rejects when the signal aborts, even if the work never settles. */
function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
	return new Promise((done, fail) => {
		signal.addEventListener('abort', () => fail(new Error('aborted')), { once: true });
		work.then(done, fail);
	});
}

function codeOf(fault: unknown): string {
	return typeof fault === 'object' && fault !== null && 'code' in fault ? String(fault.code) : 'error';
}
