import type { PageHost, SentForm, VisitedPage } from '#hosts/page/page-host.ts';
import { shownText } from '../frame/shown-text.ts';

/** The window of an embedded page, in which the user sees pages of its service. They cannot be framed by their URL. */
export class PageWindow {
	/** Undefined: the window is closed. */
	page: VisitedPage | undefined = $state.raw();
	readonly #host: Pick<PageHost, 'visit'>;
	#history: readonly string[] = $state.raw([]);
	/** A later visit takes the place of one that still waits. */
	#visits = 0;

	constructor(host: Pick<PageHost, 'visit'>) {
		this.#host = host;
	}

	/** Whether there is a page before this one. Reactive. */
	get canGoBack(): boolean {
		return this.#history.length > 1;
	}

	/** Opens a URL, or posts a form to it. */
	async open(url: string, form?: SentForm): Promise<void> {
		if (form === undefined) this.#history = [...this.#history, url];
		await this.#visit(url, form);
	}

	/** Opens a link of the page that is shown. */
	follow = async (href: string): Promise<void> => {
		const { page } = this;
		if (page !== undefined && URL.canParse(href, page.url)) await this.open(new URL(href, page.url).href);
	};

	/** Posts a form of the page that is shown. */
	submit = async (action: string, fields: URLSearchParams): Promise<void> => {
		const { page } = this;
		if (page !== undefined) await this.#visit(page.url, { action, fields });
	};

	back = async (): Promise<void> => {
		this.#history = this.#history.slice(0, -1);
		await this.reload();
	};

	reload = async (): Promise<void> => {
		const url = this.#history.at(-1);
		if (url !== undefined) await this.#visit(url);
	};

	close(): void {
		this.#visits++;
		this.page = undefined;
		this.#history = [];
	}

	async #visit(url: string, form?: SentForm): Promise<void> {
		const visit = ++this.#visits;
		const before = this.page?.url;
		this.page ??= { url, status: 0, text: '', isOfService: true };
		const page = await this.#host.visit(url, form, before);
		if (visit === this.#visits) this.page = page.isOfService ? { ...page, text: shownText(page) } : page;
	}
}
