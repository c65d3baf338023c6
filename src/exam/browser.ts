import { CookieJar, type Cause } from './cookie-jar.ts';
import { isHtml } from './html-tokens.ts';
import { authorizationFormOf, interactionFormOf, refreshOf, responseFormOf } from './page-forms.ts';
import { formsText, obviousAction, type Intent } from './page-operation.ts';
import { abandon, textOf } from './response-body.ts';
import { responseForm, type PostedForm } from './response-form.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a browser of the exam needs. */
export type BrowserOptions = {
	/** The base URL of the sandbox, without a trailing slash. */
	readonly baseUrl: string;
	/** Where the service has what is at a URL of a simulated provider. Undefined: the URL is none. */
	readonly locate?: (url: URL) => string | undefined;
	/** The origins that it opens besides the service: those of the client. */
	readonly origins: readonly string[];
	/** Whether it opens every port of localhost: installed clients listen on a free one. */
	readonly opensLocalhost?: boolean;
	readonly fetch: Fetch;
	/** The secret of a web application. No browser may get it. */
	readonly secret?: string;
	/** Is called if a response of the client has the secret. @param place in words: `A page` */
	readonly onSecret?: (place: string) => void;
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
	/** False: a browser shows the text as it is, by its `Content-Type`. Absent: it is HTML. */
	readonly isHtml?: boolean;
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
	/** What the user wants of a page of the client: presses its only button, until the service is reached or the user is signed out. */
	readonly intent?: Intent;
	/** The URL is a link on another site. Cookies with `SameSite=Strict` stay away. */
	readonly isLink?: boolean;
};

/** A step of a browser: a request, and the page that led to it. */
type Step = {
	readonly at: URL;
	readonly form?: URLSearchParams | undefined;
	/** Of the page with the link or form. Undefined: the user typed the URL. Redirects keep it. */
	readonly from?: URL | undefined;
};

/** Where the links of an attacker are. */
const otherSite = new URL('https://attacker.example/');
/** How many pages of the client a user goes through before a sign-in. */
const maxOperated = 4;

/** A URL that the browser must not open. */
export class ForeignUrl extends Error {
	override name = 'ForeignUrl';
}

/** The browser does not trust the certificate of a server. `fetch` throws it. */
export class UntrustedCertificate extends Error {
	override name = 'UntrustedCertificate';

	/** @param origin of the server */
	constructor(origin: string) {
		super(
			`${origin} responds, but its certificate is not trusted. Set NODE_EXTRA_CA_CERTS to the file of its certificate authority in front of npx.`
		);
	}
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
	/** Why the client does not go on from there, in a sentence; undefined if nothing is known. */
	obstacle: string | undefined;

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
		const from = visit.isLink === true ? otherSite : undefined;
		const page = await this.#go({ at, form: delivered?.fields, from }, visit);
		const isMissing = visit.intent === 'sign-out' && (page.status === 404 || page.status === 405);
		return isMissing ? this.#submitElsewhere(at, page) : page;
	}

	/**
	 * Posts a form of the page where it arrived last, and follows the redirects.
	 * @param action relative to that page
	 * @throws ForeignUrl
	 */
	submit({ action, fields }: PostedForm, visit: Visit = {}): Promise<Page> {
		const from = new URL(this.page.url);
		return this.#go({ at: this.#resolve(action, this.page.url), form: fields, from }, visit);
	}

	/** Submits the form for a URL that takes no GET requests. It is on the start page of the client. */
	async #submitElsewhere(url: URL, missing: Page): Promise<Page> {
		const start = await this.#go({ at: new URL('/', url) }, {});
		const form = start.isHtml === true ? obviousAction(start, 'sign-out', url.href) : undefined;
		if (form !== undefined) return this.submit(form);
		this.obstacle = `${url.pathname} responded with status ${missing.status}, and the start page has no form for it.`;
		return (this.page = missing);
	}

	/** Signs the user out at the service. The cookies of the client stay. */
	leaveService(): void {
		this.#cookies.deleteOf(new URL(this.#options.baseUrl).origin);
	}

	async #go(first: Step, visit: Visit): Promise<Page> {
		this.obstacle = undefined;
		let step = first;
		let page: Page | undefined;
		let [wasAtService, operated] = [false, 0];
		for (let count = 0; count < maxRedirects; count++) {
			const { at, form, from } = step;
			const isService = this.#isService(at);
			wasAtService ||= isService;
			if (isService && visit.stopsAtService === true)
				return (this.page = { url: withQuery(at, form), status: 0, text: '' });
			const response = await this.#send(step);
			const location = response?.headers.get('location') ?? undefined;
			if (!isService) this.#seek(response, '');
			if (response !== undefined && location !== undefined && response.status >= 300 && response.status < 400) {
				abandon(response.body);
				// 307 and 308 repeat the request, with its body (RFC 9110, section 15.4.8).
				const isRepeated = response.status === 307 || response.status === 308;
				step = { at: this.#resolve(location, at.href), form: isRepeated ? form : undefined, from };
				continue;
			}
			const text = await textOf(response);
			const type = response?.headers.get('content-type') ?? null;
			if (!isService) this.#seek(undefined, text);
			page = { url: at.href, status: response?.status ?? 0, text, isHtml: isHtml(type, text) };
			if (!isService && page.isHtml === false) break;
			const refresh = isService ? undefined : refreshOf(text);
			if (refresh !== undefined) {
				step = { at: this.#resolve(refresh, at.href), from: at };
				continue;
			}
			if (page.status !== 200) break;
			// The page of a simulated provider has its form at its own path.
			const ofProvider = isService && at.pathname.includes('/as/') ? at.origin + at.pathname : undefined;
			const endpoint = ofProvider ?? `${this.#options.baseUrl}${authorizationPath}`;
			const next = isService
				? (responseFormOf(text) ?? interactionFormOf(text, visit, endpoint))
				: authorizationFormOf(page, endpoint);
			if (next !== undefined) {
				step = { at: this.#resolve(next.action, at.href), form: next.fields, from: at };
				continue;
			}
			const isOver =
				wasAtService || (visit.intent === 'sign-out' && (operated > 0 || at.pathname !== first.at.pathname));
			if (visit.intent === undefined || isOver || operated++ === maxOperated) break;
			const action = obviousAction(page, visit.intent);
			if (action === undefined) {
				const forms = formsText(page);
				if (forms !== undefined) this.obstacle = `The ${visit.intent} page ${forms}.`;
				break;
			}
			const target = this.#resolve(action.action, at.href);
			step =
				action.method === 'post'
					? { at: target, form: action.fields, from: at }
					: { at: new URL(action.isLink ? target : `?${action.fields}`, target), from: at };
		}
		return (this.page = page ?? { url: step.at.href, status: 0, text: '' });
	}

	/** Looks for the secret in a response of the client. An authorization URL with it is the mistake of a request. */
	#seek(response: Response | undefined, text: string): void {
		const { secret, onSecret } = this.#options;
		if (secret === undefined || secret === '') return;
		for (const [name, value] of response?.headers ?? [])
			if (value.includes(secret) && !(name === 'location' && this.#leadsToService(value)))
				onSecret?.(`The header ${name} of a page`);
		if (text.includes(secret)) onSecret?.('A page');
	}

	#leadsToService(location: string): boolean {
		const { locate, baseUrl } = this.#options;
		if (!URL.canParse(location, baseUrl)) return false;
		const sent = new URL(location, baseUrl);
		return this.#isService(new URL(locate?.(sent) ?? sent));
	}

	/** @throws ForeignUrl */
	#resolve(url: string, base: string): URL {
		if (!URL.canParse(url, base)) throw new ForeignUrl('The client redirected to something that is no URL.');
		const sent = new URL(url, base);
		const resolved = new URL(this.#options.locate?.(sent) ?? sent);
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
	async #send({ at: url, form, from }: Step): Promise<Response | undefined> {
		const { fetch, baseUrl, timeout = (milliseconds) => AbortSignal.timeout(milliseconds) } = this.#options;
		const headers = new Headers({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-dest': 'document' });
		const isOfOther = from !== undefined && (this.#isService(from) !== this.#isService(url) || from === otherSite);
		const cause: Cause = !isOfOther ? 'same-site' : form === undefined ? 'link' : 'form';
		const cookie = this.#cookies.header(url, cause);
		const [withheld] = this.#cookies.withheld(url, cause);
		if (withheld !== undefined && from !== otherSite)
			this.obstacle = `The browser did not send the cookie ${withheld} when the service ${form === undefined ? 'led back' : 'posted the response'} to the client. ${form === undefined ? 'Use SameSite=Lax' : 'A form of another site needs SameSite=None; Secure'}.`;
		if (cookie !== undefined) headers.set('cookie', cookie);
		if (form !== undefined) headers.set('origin', from?.origin ?? new URL(baseUrl).origin);
		const init: RequestInit = { headers, redirect: 'manual', signal: timeout(patience) };
		try {
			const response = await fetch(url.href, form === undefined ? init : { ...init, method: 'POST', body: form });
			this.#cookies.store(url, response.headers.getSetCookie());
			return response;
		} catch (thrown) {
			if (thrown instanceof UntrustedCertificate) this.obstacle = thrown.message;
			return undefined;
		}
	}
}

/** The URL of the same request by GET. */
function withQuery(url: URL, form: URLSearchParams | undefined): string {
	return form === undefined ? url.href : `${url.href}?${form.toString()}`;
}
