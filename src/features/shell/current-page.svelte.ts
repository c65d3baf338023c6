import { goto } from '$app/navigation';
import { base } from '$app/paths';
import { page } from '$app/state';
import { ControlApi } from '#client/control-api/control-api.ts';
import type { World } from '#client/world.ts';
import { readAppLocation } from './app-location.ts';
import { BothEndsState } from './both-ends.svelte.ts';
import { MySandboxes } from './my-sandboxes.svelte.ts';
import type { GoOptions, PageContext } from './page-context.ts';
import { SandboxStatusMonitor } from './sandbox-status.svelte.ts';

/** The page that SvelteKit shows. */
export class CurrentPage implements PageContext {
	readonly base = base;
	readonly isReachable = !__BROWSER_HOST__;
	readonly monitor = new SandboxStatusMonitor();
	readonly bothEnds = new BothEndsState();
	// All pages of this site have the same root sandbox.
	readonly mySandboxes = new MySandboxes(page.url.origin + base);
	readonly #location = $derived(readAppLocation(page.url, base));
	readonly #baseUrl = $derived(this.#location.baseUrl);
	readonly #api = $derived(new ControlApi(this.#baseUrl));

	get url(): URL {
		return page.url;
	}

	get world(): World {
		return page.data.world;
	}

	get home(): string {
		return this.#location.home;
	}

	get lessonHome(): string {
		return this.monitor.status?.class === undefined ? base : this.home;
	}

	get baseUrl(): string {
		return this.#baseUrl;
	}

	get api(): ControlApi {
		return this.#api;
	}

	get rootUrl(): string {
		return this.#location.rootUrl;
	}

	get sandbox(): string | undefined {
		return this.#location.sandbox;
	}

	go(href: string, { reload = false, replace = false, returns = false, stay = false }: GoOptions = {}): void {
		const left = returns ? entryBefore(href) : undefined;
		if (left !== undefined) navigation.traverseTo(left.key);
		else if (reload) location.assign(href);
		else void goto(href, { replaceState: replace || returns, keepFocus: stay, noScroll: stay });
	}
}

/** The newest entry of a page before the open one in the history of the tab. */
function entryBefore(href: string): NavigationHistoryEntry | undefined {
	if (!('navigation' in window)) return undefined;
	const { pathname } = new URL(href, location.href);
	return navigation
		.entries()
		.slice(0, navigation.currentEntry?.index)
		.findLast(({ url }) => url !== null && new URL(url).pathname === pathname);
}
