import { Browser, ForeignUrl, type Page, type Visit } from '#exam/browser.ts';
import { fromInit, toResponse } from '#hosts/page/page-service.ts';
import { exerciseUser, redirectUri } from './exercise-client.ts';
import type { ExerciseService, Sender } from './exercise-service.ts';

/** A page of the user's browser. */
export type BrowserPage = Page & { readonly isOfClient: boolean };

/** What the user does with a page of the service. */
export type UserConduct = {
	/** Default: `player-one`. */
	readonly username?: string;
	/** The user decides in the page that is shown. Otherwise access is allowed at once. */
	readonly decidesInPage?: boolean;
	/** Changes the authorization response on its way to the client: an attacker, or a browser that sends it twice. */
	readonly deliver?: (url: URL) => URL;
	/** The user opens nothing yet, and the program waits. Gets the URL. */
	readonly begins?: (url: string) => void;
};

const clientOrigin = new URL(redirectUri).origin;

/** Access was not decided: the user's browser shows a page that leads nowhere. */
export class BrowserStopped extends Error {
	override name = 'BrowserStopped';
}

/** The browser of the user of an exercise: cookies and redirects as in the exam, and a page that can be shown. */
export class UserBrowser {
	/** Where it is. */
	page: BrowserPage = { url: 'about:blank', status: 0, text: '', isOfClient: false };
	/** Whether a program waits for the user. */
	isWaiting = false;
	/** The URLs at which it reached the client, oldest first, each with the number of the exchange before it. */
	arrivals: readonly { readonly url: URL; readonly after: number }[] = [];
	/** Changed by an exercise. */
	conduct: UserConduct;
	readonly #browser: Browser;
	readonly #service: ExerciseService;
	readonly #onChange: () => void;
	#history: readonly string[] = [];
	#sender: Sender = { by: 'user' };
	#arrive: ((url: URL) => void) | undefined;

	/** @param onChange is called when it shows another page */
	constructor(service: ExerciseService, conduct: UserConduct = {}, onChange: () => void = () => {}) {
		this.#service = service;
		this.conduct = conduct;
		this.#onChange = onChange;
		this.#browser = new Browser({
			baseUrl: service.baseUrl,
			origins: [clientOrigin],
			fetch: (url, init) => this.#send(url, init),
			now: service.clock.now,
			timeout: () => new AbortController().signal
		});
	}

	/**
	 * Opens a URL for the program. Resolves with the URL of the client where the user arrives.
	 * @param line of the program
	 * @throws BrowserStopped
	 */
	async open(url: string, line: number | undefined): Promise<URL> {
		this.#sender = { by: 'client', line };
		this.#history = [...this.#history, url];
		const { begins } = this.conduct;
		if (begins !== undefined) {
			begins(url);
			return this.#waitForUser();
		}
		const page = await this.#visit((visit) => this.#browser.open(url, visit));
		return this.#isOfClient(page) ? this.#arrived(page) : this.#wait(page);
	}

	/** Submits a form of the page that is shown. */
	async submit(action: string, fields: URLSearchParams): Promise<void> {
		await this.#go((visit) => this.#browser.submit({ action, fields }, visit));
	}

	/** Opens a link of the page that is shown. */
	async follow(url: string): Promise<void> {
		const { href } = new URL(url, this.page.url);
		this.#history = [...this.#history, href];
		await this.#go((visit) => this.#browser.open(href, visit));
	}

	/** Opens a URL of the client itself, as a link of an attacker does. A program that waits for no response does not notice. */
	reach(url: URL): void {
		this.#arrive?.(url);
	}

	/** Ends its session at the service, and keeps all else. */
	leaveService(): void {
		this.#browser.leaveService();
	}

	get canGoBack(): boolean {
		return this.#history.length > 1;
	}

	/** Opens the page before this one. */
	async back(): Promise<void> {
		this.#history = this.#history.slice(0, -1);
		await this.reload();
	}

	/** Opens the page again. */
	async reload(): Promise<void> {
		const url = this.#history.at(-1);
		if (url !== undefined) await this.#go((visit) => this.#browser.open(url, visit));
	}

	#wait(page: Page): Promise<URL> {
		if (page.status >= 400 || !/name="interaction"/.test(page.text))
			throw new BrowserStopped(
				`The user’s browser shows a page that does not lead back to your client (status ${page.status}). Look at it, and at the check that rejected the request.`
			);
		return this.#waitForUser();
	}

	#waitForUser(): Promise<URL> {
		this.isWaiting = true;
		this.#onChange();
		const decision = new Promise<URL>((resolve) => {
			this.#arrive = (url) => {
				this.isWaiting = false;
				this.#arrive = undefined;
				resolve(url);
			};
		});
		// Timers of the program do not end the time that a user takes.
		return this.conduct.decidesInPage === true ? this.#service.clock.during(() => decision) : decision;
	}

	/** What the user does in the page. */
	async #go(step: (visit: Visit) => Promise<Page>): Promise<void> {
		const page = await this.#visit(step).catch(() => undefined);
		if (page !== undefined && this.#isOfClient(page)) {
			const url = this.#arrived(page);
			this.#arrive?.(url);
			this.#onChange();
		}
	}

	async #visit(step: (visit: Visit) => Promise<Page>): Promise<Page> {
		const { username = exerciseUser, decidesInPage = false } = this.conduct;
		try {
			const page = await step({ username, stopsAtConsent: decidesInPage });
			this.page = { ...page, isOfClient: this.#isOfClient(page) };
			this.#onChange();
			return page;
		} catch (error) {
			if (!(error instanceof ForeignUrl)) throw error;
			throw new BrowserStopped(
				'The user’s browser opens the service and your redirect URI only. This URL leads elsewhere.'
			);
		}
	}

	#arrived({ url }: Page): URL {
		const { deliver = (at) => at } = this.conduct;
		const at = deliver(new URL(url));
		this.arrivals = [...this.arrivals, { url: at, after: this.#service.entries.at(-1)?.seq ?? 0 }];
		return at;
	}

	#isOfClient({ url }: Page): boolean {
		return URL.canParse(url) && new URL(url).origin === clientOrigin;
	}

	async #send(url: string, init: RequestInit): Promise<Response> {
		// The page of the client itself is the program.
		if (!this.#service.has(new URL(url))) return new Response('', { status: 200 });
		const sender = this.#sender;
		this.#sender = { by: 'user' };
		const response = await this.#service.send(fromInit(url, init), sender);
		if (response === undefined) throw new TypeError('The service gave no response.');
		return toResponse(response);
	}
}
