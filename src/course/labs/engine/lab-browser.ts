import { Browser, ForeignUrl, type Page, type Visit } from '#exam/browser.ts';
import { interactionFormOf } from '#exam/page-forms.ts';
import type { View } from './site.ts';

/** A page in a window of a lab. Those of sites have a view in place of a text. */
export type LabPage = Page & { readonly view?: View | undefined };

type Options = {
	readonly username: string;
	readonly baseUrl: string;
	/** The origins of the sites of the lab. */
	readonly origins: readonly string[];
	readonly now: () => number;
	/** Sends a request in the lab. @throws if there is no response */
	readonly send: (
		url: string,
		init: RequestInit
	) => Promise<{ readonly response: Response; readonly view: View | undefined }>;
	readonly onChange: () => void;
};

/** `stopsAtConsent`: the decision is left for `decide`. `isRedirect`: another site leads there. */
type OpenOptions = { readonly stopsAtConsent?: boolean; readonly isRedirect?: boolean };

/** The browser of a user of a lab. It reaches what is in the lab, and nothing else. */
export class LabBrowser {
	page: LabPage = { url: 'about:blank', status: 0, text: '' };
	/** Whether the user allows access on a page of the service that has this text. */
	allows: (text: string) => boolean = () => true;
	readonly username: string;
	readonly #options: Options;
	#browser: Browser;
	/** The origin of the page or redirect before the next request. Undefined: the user types an address. */
	#from: string | undefined;
	#view: View | undefined;

	constructor(options: Options) {
		this.#options = options;
		this.username = options.username;
		this.#browser = this.#create();
	}

	/** Ends the browser, and opens it again: cookies of its sessions are gone. */
	restart(): void {
		this.#browser = this.#create();
		this.page = { url: 'about:blank', status: 0, text: '' };
		this.#options.onChange();
	}

	#create(): Browser {
		const options = this.#options;
		return new Browser({
			baseUrl: options.baseUrl,
			origins: options.origins,
			now: options.now,
			timeout: () => new AbortController().signal,
			fetch: async (url, init) => {
				const { origin } = new URL(url);
				const site = this.#from === undefined ? 'none' : this.#from === origin ? 'same-origin' : 'cross-site';
				const headers = new Headers(init.headers);
				headers.set('sec-fetch-site', site);
				const { response, view } = await options.send(url, { ...init, headers });
				// As in browsers, a chain of redirects stays cross-site once it was. A form belongs to its page.
				const isRedirect = response.status >= 300 && response.status < 400;
				this.#from = isRedirect && site === 'cross-site' ? 'cross-site' : origin;
				this.#view = view;
				return response;
			}
		});
	}

	/** Opens a URL, signs in where the service asks for it, and decides about access. */
	async open(url: string, options: OpenOptions = {}): Promise<LabPage> {
		const { stopsAtConsent = false, isRedirect = false } = options;
		this.#from = isRedirect ? 'another site' : undefined;
		await this.#visit((visit) => this.#browser.open(url, visit));
		if (stopsAtConsent || !this.isAtConsent) return this.page;
		return this.decide(this.allows(this.page.text));
	}

	/** Opens a URL, and does nothing on the page of the service. */
	look(url: string): Promise<LabPage> {
		this.#from = undefined;
		return this.#show(this.#browser.open(url, {}));
	}

	/** Whether the consent page is shown. */
	get isAtConsent(): boolean {
		return /name="decision"/.test(this.page.text);
	}

	/** Decides on the consent page. */
	async decide(isAllowed: boolean): Promise<LabPage> {
		const endpoint = `${this.#options.baseUrl}/ws/oauth2/auth/`;
		const form = interactionFormOf(this.page.text, { username: this.username }, endpoint);
		if (form === undefined) return this.page;
		if (!isAllowed) form.fields.set('decision', 'deny');
		return this.#visit((visit) => this.#browser.submit(form, visit));
	}

	#visit(step: (visit: Visit) => Promise<Page>): Promise<LabPage> {
		return this.#show(step({ username: this.username, stopsAtConsent: true }));
	}

	/** Shows where a visit led. One that leads out of the lab ends with a page that says so. */
	async #show(visit: Promise<Page>): Promise<LabPage> {
		try {
			const page = await visit;
			this.page = { ...page, view: page.status === 0 || page.text !== '' ? undefined : this.#view };
		} catch (error) {
			if (!(error instanceof ForeignUrl)) throw error;
			this.page = { url: 'about:blank', status: 0, text: '', view: outside };
		}
		this.#options.onChange();
		return this.page;
	}
}

const outside: View = {
	site: 'Browser',
	heading: 'Not part of this lab',
	text: 'The address leads out of the lab. Its messages cannot leave it.',
	isRejected: true
};
