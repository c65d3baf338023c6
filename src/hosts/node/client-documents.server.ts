import { lookup as resolve } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { maxDocument } from '#api/control/client-documents.ts';
import type { DocumentHost } from '#service/core/options.ts';

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

/** Special-use IPv4 addresses (RFC 6890 and its registry): none of them is a public server. */
const special = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.31.196.0', 24],
	['192.52.193.0', 24],
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	['192.175.48.0', 24],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 3]
] as const;
/** Special-use addresses within 2000::/3. No other IPv6 address is global, also none that contains an IPv4 address. */
const specialIpv6 = [
	['2001::', 23],
	['2001:db8::', 32],
	['2002::', 16],
	['2620:4f:8000::', 48],
	['3fff::', 20]
] as const;

const blocked = new BlockList();
for (const [network, bits] of special) blocked.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of specialIpv6) blocked.addSubnet(network, bits, 'ipv6');
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an address, without brackets, is one of a public server. */
function isPublicAddress(address: string): boolean {
	const version = isIP(address);
	if (version === 4) return !blocked.check(address, 'ipv4');
	return version === 6 && global.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}

/** Whether an address, without brackets, is one of this machine. IPv4 in IPv6 is none. */
export function isLoopbackAddress(address: string): boolean {
	const version = isIP(address);
	if (version === 6) return address === '::1';
	return version === 4 && loopback.check(address, 'ipv4');
}

/** Who wants a place. */
type Owner = {
	/** The user or client address that caused the work. */
	readonly sharer: string;
	/** The host that the work is about. */
	readonly host: string;
};

/** A place, for one task. */
type Place = {
	/** Aborts when the place was given to an owner with fewer places. */
	readonly evicted: AbortSignal;
	/** Frees the place. Call it on every end of the task. */
	readonly leave: () => void;
};

type Limits = {
	readonly inAll: number;
	readonly forSharer: number;
	readonly forHost?: number;
	/** How many tasks wait at once. */
	readonly waiting: number;
	/** How long a task waits, in milliseconds. */
	readonly timeLimit: number;
	/** Whether a running task can be ended, to give its place to another sharer. */
	readonly evicts?: true;
};

type Running = Owner & { readonly evict: AbortController };
type Waiting = Owner & { readonly begin: (place: Place | undefined) => void };

/**
 * Places for tasks that wait for others, such as name servers. A sharer with many tasks cannot keep the others out: who holds and wants
 * the least is next, and who has the most loses a place if all are taken.
 */
class FairPlaces {
	readonly #limits: Limits;
	readonly #running = new Set<Running>();
	readonly #waiting = new Set<Waiting>();

	constructor(limits: Limits) {
		this.#limits = limits;
	}

	/** Takes a place, when one is free. @returns `undefined` if none was within the time limit, or too many wait. */
	async enter(owner: Owner): Promise<Place | undefined> {
		if (this.#limits.evicts && this.#running.size >= this.#limits.inAll && this.#fits(owner)) this.#evict(owner.sharer);
		if (this.#isFree(owner)) return this.#begin(owner);
		if (this.#waiting.size >= this.#limits.waiting && !this.#rejectFor(owner.sharer)) return undefined;
		return new Promise((resolve) => {
			const timer = setTimeout(() => begin(undefined), this.#limits.timeLimit);
			const begin = (place: Place | undefined) => {
				clearTimeout(timer);
				this.#waiting.delete(waiting);
				resolve(place);
			};
			const waiting = { ...owner, begin };
			this.#waiting.add(waiting);
		});
	}

	#begin(owner: Owner): Place {
		const running = { ...owner, evict: new AbortController() };
		this.#running.add(running);
		const leave = () => {
			if (this.#running.delete(running)) this.#startNext();
		};
		return { evicted: running.evict.signal, leave };
	}

	/** Whether the owner is below its own limits. */
	#fits({ sharer, host }: Owner): boolean {
		const { forSharer, forHost = Infinity } = this.#limits;
		const running = [...this.#running];
		return (
			running.filter((one) => one.sharer === sharer).length < forSharer &&
			running.filter((one) => one.host === host).length < forHost
		);
	}

	#isFree(owner: Owner): boolean {
		return this.#running.size < this.#limits.inAll && this.#fits(owner);
	}

	#startNext(): void {
		const shareOf = ({ sharer }: Owner) => this.#sizeOf(sharer);
		const free = [...this.#waiting].filter((one) => this.#isFree(one));
		const [next] = free.sort((one, other) => shareOf(one) - shareOf(other));
		next?.begin(this.#begin(next));
	}

	/** Ends the oldest task of the sharer that holds the most, if that is at least two more than this one holds. */
	#evict(sharer: string): void {
		const held = (name: string) => [...this.#running].filter((one) => one.sharer === name).length;
		const [most] = [...this.#running].sort((one, other) => held(other.sharer) - held(one.sharer));
		if (most === undefined || held(most.sharer) < held(sharer) + 2) return;
		this.#running.delete(most);
		most.evict.abort();
	}

	/** Rejects the newest waiting task of the sharer that has the most, if that is more than this one has. @returns whether it did */
	#rejectFor(sharer: string): boolean {
		const [most] = [...this.#waiting]
			.reverse()
			.sort((one, other) => this.#sizeOf(other.sharer) - this.#sizeOf(one.sharer));
		if (most === undefined || this.#sizeOf(most.sharer) <= this.#sizeOf(sharer) + 1) return false;
		most.begin(undefined);
		return true;
	}

	#sizeOf(sharer: string): number {
		return [...this.#running, ...this.#waiting].filter((one) => one.sharer === sharer).length;
	}
}
