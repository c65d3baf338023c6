type Cookie = {
	readonly name: string;
	readonly value: string;
	readonly host: string;
	/** Of the response. */
	readonly origin: string;
	/** False: subdomains get it too. */
	readonly isHostOnly: boolean;
	readonly path: string;
	readonly isSecure: boolean;
	/** Undefined: the server named none. Browsers then take it for `lax`, but send a new cookie with a form of another site. */
	readonly sameSite: 'strict' | 'lax' | 'none' | undefined;
	/** Milliseconds since 1970. */
	readonly created: number;
	/** Milliseconds since 1970; undefined until the jar is gone. */
	readonly expires: number | undefined;
};

/** What made the browser send a request: `same-site` also if the user typed the URL. `link` and `form` are of another site. */
export type Cause = 'same-site' | 'link' | 'form';

/** How long a cookie without `SameSite` goes with forms of other sites, in milliseconds ("Lax+POST" of Chromium). */
const newTime = 120_000;

/** More cookies than any client needs. */
const maxCookies = 200;

/** The cookies of one browser (RFC 6265bis, section 5). Like browsers, it treats localhost as secure and ignores ports. */
export class CookieJar {
	#cookies: readonly Cookie[] = [];
	readonly #now: () => number;

	/** @param now milliseconds since 1970 */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** Keeps the cookies of a response. */
	store(url: URL, setCookies: readonly string[]): void {
		for (const text of setCookies) {
			const cookie = parseCookie(url, text, this.#now());
			if (cookie === undefined) continue;
			const others = this.#cookies.filter((known) => !isSame(known, cookie));
			this.#cookies = isAlive(cookie, this.#now()) ? [...others, cookie].slice(-maxCookies) : others;
		}
	}

	/** Deletes the cookies that an origin has set. A client on the same host has others. */
	deleteOf(origin: string): void {
		this.#cookies = this.#cookies.filter((cookie) => cookie.origin !== origin);
	}

	/** The `Cookie` header of a request; undefined for one without cookies. */
	header(url: URL, cause: Cause = 'same-site'): string | undefined {
		const sent = this.#matching(url)
			.filter((cookie) => this.#goesWith(cookie, cause))
			.sort((a, b) => b.path.length - a.path.length);
		return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
	}

	/** The cookies that a request goes without because of `SameSite`, as in `sid (SameSite=Strict)`. */
	withheld(url: URL, cause: Cause): string[] {
		return this.#matching(url)
			.filter((cookie) => !this.#goesWith(cookie, cause))
			.map(({ name, sameSite }) => `${name} (${sameSite === 'strict' ? 'SameSite=Strict' : 'SameSite=Lax'})`);
	}

	#matching(url: URL): Cookie[] {
		return this.#cookies.filter((cookie) => isAlive(cookie, this.#now()) && matches(cookie, url));
	}

	#goesWith({ sameSite, created }: Cookie, cause: Cause): boolean {
		if (cause === 'same-site' || sameSite === 'none') return true;
		if (sameSite === 'strict') return false;
		return cause === 'link' || (sameSite === undefined && this.#now() - created < newTime);
	}
}

function parseCookie(url: URL, text: string, now: number): Cookie | undefined {
	const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
	const equals = pair.indexOf('=');
	if (equals < 1) return undefined;
	const of = new Map(
		attributes.map((attribute) => {
			const [name = '', ...value] = attribute.split('=');
			return [name.trim().toLowerCase(), value.join('=').trim()];
		})
	);
	const domain = (of.get('domain') ?? '').replace(/^\./, '').toLowerCase();
	const host = url.hostname;
	if (domain !== '' && !isWithin(host, domain)) return undefined;
	const path = of.get('path');
	const name = pair.slice(0, equals).trim();
	const isSecure = of.has('secure');
	const sameSite = (['strict', 'lax', 'none'] as const).find((one) => one === of.get('samesite')?.toLowerCase());
	const isTrusted = url.protocol === 'https:' || isLocal(host);
	const hasPrefix = /^__(?:secure|host)-/i.test(name);
	const isOfHost = domain === '' && path === '/';
	// Browsers keep none of these.
	if ((isSecure && !isTrusted) || ((sameSite === 'none' || hasPrefix) && !isSecure)) return undefined;
	if (/^__host-/i.test(name) && !isOfHost) return undefined;
	return {
		name,
		value: pair.slice(equals + 1).trim(),
		host: domain === '' ? host : domain,
		origin: url.origin,
		isHostOnly: domain === '',
		path: path?.startsWith('/') === true ? path : url.pathname.replace(/\/[^/]*$/, '') || '/',
		isSecure,
		sameSite,
		created: now,
		expires: expiryOf(of, now)
	};
}

function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number | undefined {
	const age = attributes.get('max-age');
	if (age !== undefined && /^-?\d+$/.test(age)) return now + Number(age) * 1000;
	const date = Date.parse(attributes.get('expires') ?? '');
	return Number.isNaN(date) ? undefined : date;
}

function isSame(a: Cookie, b: Cookie): boolean {
	return a.name === b.name && a.host === b.host && a.path === b.path;
}

function isAlive({ expires }: Cookie, now: number): boolean {
	return expires === undefined || expires > now;
}

function matches(cookie: Cookie, { hostname, pathname, protocol }: URL): boolean {
	if (cookie.isHostOnly ? hostname !== cookie.host : !isWithin(hostname, cookie.host)) return false;
	if (cookie.isSecure && protocol !== 'https:' && !isLocal(hostname)) return false;
	const folder = cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`;
	return pathname === cookie.path || pathname.startsWith(folder);
}

function isWithin(host: string, domain: string): boolean {
	return host === domain || host.endsWith(`.${domain}`);
}

function isLocal(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
