import { isServicePath } from '#api/service-path.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import type { World } from '#client/world.ts';
import { readAppLocation } from '#features/shell/app-location.ts';
import { MySandboxes } from '#features/shell/my-sandboxes.svelte.ts';
import type { PageContext } from '#features/shell/page-context.ts';
import { SandboxStatusMonitor } from '#features/shell/sandbox-status.svelte.ts';
import type { PageWindow } from './page-window.svelte.ts';

/** The pages of the app that visits of the service lead to, below the sandbox. */
const windowPages: readonly string[] = ['/viewer/callback', '/pause', '/learn/page-with-image'];

type Options = {
	/** The page that SvelteKit shows. */
	readonly site: PageContext;
	/** The world of the service in the page. */
	readonly world: World;
	/** The window with pages of the service. */
	readonly shown: PageWindow;
};

/** A page with its service inside: its sandboxes are in this page, and nothing is a navigation. */
export class EmbeddedPage implements PageContext {
	readonly isEmbedded = true;
	readonly isReachable = false;
	readonly world: World;
	readonly shown: PageWindow;
	/** Shows the page at a path below the sandbox, in place of the window. */
	onback: (path: string) => void = () => this.shown.close();
	readonly base: string;
	readonly lessonHome: string;
	readonly rootUrl: string;
	readonly monitor = new SandboxStatusMonitor();
	readonly mySandboxes: MySandboxes;
	readonly bothEnds: PageContext['bothEnds'];
	#baseUrl: string = $state('');
	readonly #site: PageContext;
	readonly #api = $derived(new ControlApi(this.#baseUrl));
	readonly #location = $derived.by(() => readAppLocation(new URL(`${this.#baseUrl}/`), this.base));

	constructor({ site, world, shown }: Options) {
		this.shown = shown;
		this.world = world;
		this.base = this.lessonHome = site.base;
		this.rootUrl = this.#baseUrl = site.rootUrl;
		this.mySandboxes = new MySandboxes(this.rootUrl);
		this.bothEnds = site.bothEnds;
		this.#site = site;
	}

	/** That of the page, or of the part of the app where the window is. */
	get url(): URL {
		const { page } = this.shown;
		return page === undefined || page.isOfService ? this.#site.url : new URL(page.url);
	}

	get baseUrl(): string {
		return this.#baseUrl;
	}

	get home(): string {
		return this.#location.home;
	}

	get sandbox(): string | undefined {
		return this.#location.sandbox;
	}

	get api(): ControlApi {
		return this.#api;
	}

	go(href: string): void {
		const url = new URL(href, this.#site.url);
		if (this.isHosted(url)) void this.shown.open(url.href);
		else this.onback(this.#pathOf(url));
	}

	/** Whether the window shows a URL: a page of the service, or one of the app that a visit there leads to. */
	isHosted(url: URL): boolean {
		if (url.origin !== this.#site.url.origin) return false;
		return isServicePath(url.pathname.slice(this.base.length)) || windowPages.includes(this.#pathOf(url));
	}

	/** The path of a page of the app where the window is; undefined: it is closed, or at the service. Reactive. */
	get windowPath(): string | undefined {
		const { page } = this.shown;
		return page === undefined || page.isOfService ? undefined : this.#pathOf(new URL(page.url));
	}

	#pathOf({ origin, pathname }: URL): string {
		return origin === this.#site.url.origin && pathname.startsWith(`${this.home}/`)
			? pathname.slice(this.home.length)
			: '';
	}

	/** The page is about another sandbox of its service from now on. Returns a function that ends that. */
	enter(baseUrl: string): () => void {
		this.#baseUrl = baseUrl;
		const stop = this.monitor.watch(baseUrl);
		void this.monitor.refresh();
		return stop;
	}
}
