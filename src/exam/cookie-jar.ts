type Cookie = {
	readonly name: string;
	readonly value: string;
	readonly host: string;
	/** False: subdomains get it too. */
	readonly isHostOnly: boolean;
	readonly path: string;
	readonly isSecure: boolean;
	/** Milliseconds since 1970; undefined until the jar is gone. */
	readonly expires: number | undefined;
};

/** More cookies than any client needs. */
const maxCookies = 200;

/** The cookies of one browser (RFC 6265, section 5). Like browsers, it treats localhost as secure and ignores ports. */
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

	/** The `Cookie` header of a request; undefined for one without cookies. */
	header(url: URL): string | undefined {
		const sent = this.#cookies
			.filter((cookie) => isAlive(cookie, this.#now()) && matches(cookie, url))
			.sort((a, b) => b.path.length - a.path.length);
		return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
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
	return {
		name: pair.slice(0, equals).trim(),
		value: pair.slice(equals + 1).trim(),
		host: domain === '' ? host : domain,
		isHostOnly: domain === '',
		path: path?.startsWith('/') === true ? path : url.pathname.replace(/\/[^/]*$/, '') || '/',
		isSecure: of.has('secure'),
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
