import { CookieJar } from './cookie-jar.ts';
import { authorizationFormOf, interactionFormOf, responseFormOf } from './page-forms.ts';
import { abandon, textOf } from './response-body.ts';
import { responseForm, type PostedForm } from './response-form.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a browser of the exam needs. */
export type BrowserOptions = {
	/** The base URL of the sandbox, without a trailing slash. */
	readonly baseUrl: string;
	/** The origins that it opens besides the service: those of the client. */
	readonly origins: readonly string[];
	/** Whether it opens every port of localhost: installed clients listen on a free one. */
	readonly opensLocalhost?: boolean;
	readonly fetch: Fetch;
	/** Milliseconds since 1970, for cookies. */
	readonly now: () => number;
	/** A signal that aborts after this number of milliseconds. Default: `AbortSignal.timeout`. */
	readonly timeout?: (milliseconds: number) => AbortSignal;
};

/** A page where a browser arrived. */
export type Page = {
	readonly url: string;
	/** 0: the server did not respond. */
	readonly status: number;
	/** At most one million characters. */
	readonly text: string;
};

/** What a browser does at the service. */
export type Visit = {
	/** Signs in as this user, and allows access. Absent: the browser stays on the first page of the service. */
	readonly username?: string;
	readonly password?: string;
	/** Signs in, and leaves the decision about access to the user. */
	readonly stopsAtConsent?: boolean;
	/** Stops before the first request to the service. The page is the URL of that request, as a GET, without text. */
	readonly stopsAtService?: boolean;
	/** Posts the authorization response in the URL as a form. */
	readonly posts?: boolean;
};

/** A URL that the browser must not open. */
export class ForeignUrl extends Error {
	override name = 'ForeignUrl';
}

const maxRedirects = 20;
/** Longest wait for a response, in milliseconds. */
const patience = 30_000;
const authorizationPath = '/ws/oauth2/auth/';

/** A browser without pages: cookies, redirects, the forms of the service, and authorization requests that a client posts. It runs no scripts and loads no images. */
export class Browser {
	readonly #options: BrowserOptions;
	readonly #cookies: CookieJar;
	/** Where it arrived last. */
	page: Page = { url: 'about:blank', status: 0, text: '' };

	constructor(options: BrowserOptions) {
		this.#options = options;
		this.#cookies = new CookieJar(options.now);
	}

	/**
	 * Opens a URL and follows its redirects. At the service, it signs in and allows access if the visit says so.
	 * @throws ForeignUrl for a URL that is neither the service's nor the client's
	 */
	async open(url: string, visit: Visit = {}): Promise<Page> {
		const delivered = visit.posts === true ? responseForm(url) : undefined;
		const at = this.#resolve(delivered?.action ?? url, url);
		return this.#go(at, delivered?.fields, visit);
	}

	/**
	 * Posts a form of the page where it arrived last, and follows the redirects.
	 * @param action relative to that page
	 * @throws ForeignUrl
	 */
	submit({ action, fields }: PostedForm, visit: Visit = {}): Promise<Page> {
		return this.#go(this.#resolve(action, this.page.url), fields, visit);
	}

	async #go(at: URL, form: URLSearchParams | undefined, visit: Visit): Promise<Page> {
		let page: Page | undefined;
		let formOrigin = new URL(this.#options.baseUrl).origin;
		for (let step = 0; step < maxRedirects; step++) {
			const isService = this.#isService(at);
			if (isService && visit.stopsAtService === true)
				return (this.page = { url: withQuery(at, form), status: 0, text: '' });
			const response = await this.#send(at, form, formOrigin);
			const location = response?.headers.get('location') ?? undefined;
			if (response !== undefined && location !== undefined && response.status >= 300 && response.status < 400) {
				abandon(response.body);
				at = this.#resolve(location, at.href);
				// 307 and 308 repeat the request, with its body (RFC 9110, section 15.4.8).
				if (response.status !== 307 && response.status !== 308) form = undefined;
				continue;
			}
			form = undefined;
			page = { url: at.href, status: response?.status ?? 0, text: await textOf(response) };
			const refresh = isService ? undefined : refreshOf(page.text);
			if (refresh !== undefined) {
				at = this.#resolve(refresh, at.href);
				continue;
			}
			if (page.status !== 200) break;
			const endpoint = `${this.#options.baseUrl}${authorizationPath}`;
			const next = isService
				? (responseFormOf(page.text) ?? interactionFormOf(page.text, visit, endpoint))
				: authorizationFormOf(page, endpoint);
			if (next === undefined) break;
			form = next.fields;
			formOrigin = at.origin;
			at = this.#resolve(next.action, at.href);
		}
		return (this.page = page ?? { url: at.href, status: 0, text: '' });
	}

	/** @throws ForeignUrl */
	#resolve(url: string, base: string): URL {
		if (!URL.canParse(url, base)) throw new ForeignUrl('The client redirected to something that is no URL.');
		const resolved = new URL(url, base);
		if (this.#isService(resolved) || this.#isClient(resolved)) return resolved;
		const { origin, pathname } = new URL(this.#options.baseUrl);
		if (resolved.origin === origin)
			throw new ForeignUrl(
				`The client opened ${resolved.pathname} of the service without the path ${pathname} of TOLLGATE_BASE_URL. Add the paths of the endpoints to that URL: new URL('/path', base) drops its path.`
			);
		throw new ForeignUrl(
			`The client redirected to ${resolved.origin}, which is not one of its addresses. Name it if it belongs to the client.`
		);
	}

	#isClient({ origin, protocol, hostname }: URL): boolean {
		const { origins, opensLocalhost = false } = this.#options;
		const isLocal = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
		return origins.includes(origin) || (opensLocalhost && isLocal);
	}

	#isService(url: URL): boolean {
		const { baseUrl } = this.#options;
		return url.href === baseUrl || url.href.startsWith(`${baseUrl}/`);
	}

	/** Returns undefined if there is no response. */
	async #send(url: URL, form: URLSearchParams | undefined, formOrigin: string): Promise<Response | undefined> {
		const { fetch, timeout = (milliseconds) => AbortSignal.timeout(milliseconds) } = this.#options;
		const headers = new Headers({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-dest': 'document' });
		const cookie = this.#cookies.header(url);
		if (cookie !== undefined) headers.set('cookie', cookie);
		if (form !== undefined) headers.set('origin', formOrigin);
		const init: RequestInit = { headers, redirect: 'manual', signal: timeout(patience) };
		try {
			const response = await fetch(url.href, form === undefined ? init : { ...init, method: 'POST', body: form });
			this.#cookies.store(url, response.headers.getSetCookie());
			return response;
		} catch {
			return undefined;
		}
	}
}

/** The URL of the same request by GET. */
function withQuery(url: URL, form: URLSearchParams | undefined): string {
	return form === undefined ? url.href : `${url.href}?${form.toString()}`;
}

/** Where a page without scripts sends the browser. */
function refreshOf(text: string): string | undefined {
	const tag = /<meta[^>]+http-equiv=["']?refresh["']?[^>]*>/i.exec(text)?.[0];
	return tag === undefined ? undefined : /\burl=['"]?([^'"> ]+)/i.exec(tag)?.[1]?.replaceAll('&amp;', '&');
}
