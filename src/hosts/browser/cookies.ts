import { get, update, type UseStore } from 'idb-keyval';

/** A cookie as a browser keeps it (RFC 6265, section 5.3); of one host, so without a domain. */
type Cookie = {
	readonly name: string;
	readonly value: string;
	readonly path: string;
	/** Milliseconds on the real clock; undefined for one that lives until the browser's data are erased. */
	readonly expires: number | undefined;
};

/** The browser's storage failed: in words what happened, why, and what to do. What the browser said is the `cause`. */
export class CookiesLost extends Error {
	override name = 'CookiesLost';

	constructor(what: string, fault: unknown) {
		const isFull = fault instanceof DOMException && fault.name === 'QuotaExceededError';
		const why = isFull ? 'it has no more room for this site' : 'its storage failed';
		const next = isFull
			? 'Free some space on the disk, or erase what is kept here (“Erase …” at the top), and do it again.'
			: 'Reload the page; if that does not help, close all tabs of this site and open one anew.';
		super(`This browser could not ${what} of the service: ${why}. Without cookies nobody stays signed in. ${next}`, {
			cause: fault
		});
	}
}

/** Where the cookies lie, as one value that is changed in one step. */
type Shelf = {
	read(): Promise<readonly Cookie[]>;
	change(next: (now: readonly Cookie[]) => readonly Cookie[]): Promise<void>;
};

/** As many cookies as Chromium keeps for one host; the oldest give way. */
const mostCookies = 180;
const longestCookie = 4096;

/**
 * The cookies that the service has set in this browser: a page can neither set nor send real ones that scripts must not see.
 * All tabs share it.
 */
export class CookieJar {
	readonly #shelf: Shelf;
	readonly #now: () => number;

	/**
	 * @param room for idb-keyval; undefined where there is no storage: in memory then
	 * @param now milliseconds, real clock
	 */
	constructor(room: UseStore | undefined, now: () => number) {
		this.#shelf = room === undefined ? inMemory() : inRoom(room);
		this.#now = now;
	}

	/**
	 * The `Cookie` header for a path; undefined where there is none to send.
	 * @param path without query
	 * @throws CookiesLost
	 */
	async header(path: string): Promise<string | undefined> {
		const cookies = (await this.#shelf.read())
			.filter((cookie) => covers(cookie.path, path) && !this.#expired(cookie))
			.sort((one, other) => other.path.length - one.path.length);
		return cookies.length === 0 ? undefined : cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
	}

	/**
	 * Keeps what `Set-Cookie` headers say; what they say wrongly is dropped, as browsers do.
	 * @param path of the request, without query
	 * @throws CookiesLost
	 */
	async take(lines: readonly string[], path: string): Promise<void> {
		const set = lines.flatMap((line) => readCookie(line, path, this.#now()) ?? []);
		if (set.length === 0) return;
		await this.#shelf.change((kept) => {
			const others = kept.filter((one) => !set.some(({ name, path }) => name === one.name && path === one.path));
			return [...others, ...set].filter((cookie) => !this.#expired(cookie)).slice(-mostCookies);
		});
	}

	#expired({ expires }: Cookie): boolean {
		return expires !== undefined && expires <= this.#now();
	}
}

function readCookie(line: string, requestPath: string, now: number): Cookie | undefined {
	const [pair = '', ...rest] = line.split(';');
	const equals = pair.indexOf('=');
	const name = pair.slice(0, equals).trim();
	const value = pair.slice(equals + 1).trim();
	if (equals < 1 || name === '' || line.length > longestCookie) return undefined;
	const attributes = new Map(
		rest.map((text) => {
			const [key = '', ...words] = text.split('=');
			return [key.trim().toLowerCase(), words.join('=').trim()];
		})
	);
	const given = attributes.get('path');
	const path = given?.startsWith('/') === true ? given : requestPath.replace(/\/[^/]*$/, '') || '/';
	const secure = attributes.has('secure');
	if (name.startsWith('__Host-') && !(secure && path === '/' && !attributes.has('domain'))) return undefined;
	if (name.startsWith('__Secure-') && !secure) return undefined;
	return { name, value, path, expires: expiry(attributes, now) };
}

function expiry(attributes: ReadonlyMap<string, string>, now: number): number | undefined {
	const age = attributes.get('max-age');
	if (age !== undefined && /^-?\d+$/.test(age)) return now + Number(age) * 1000;
	const date = Date.parse(attributes.get('expires') ?? '');
	return Number.isNaN(date) ? undefined : date;
}

/** RFC 6265, section 5.1.4. */
function covers(cookiePath: string, path: string): boolean {
	return path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
}

function inRoom(room: UseStore): Shelf {
	const key = 'cookies';
	const lost = (what: string) => (fault: unknown) => {
		throw new CookiesLost(what, fault);
	};
	return {
		read: async () => (await get<readonly Cookie[]>(key, room).catch(lost('read the cookies'))) ?? [],
		change: (next) => update<readonly Cookie[]>(key, (now = []) => next(now), room).catch(lost('store a cookie'))
	};
}

function inMemory(): Shelf {
	let cookies: readonly Cookie[] = [];
	return {
		read: () => Promise.resolve(cookies),
		change(next) {
			cookies = next(cookies);
			return Promise.resolve();
		}
	};
}
