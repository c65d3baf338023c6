import { parseWorld } from '#hosts/browser/parse-world.ts';
import { readWorldFile } from '#hosts/browser/world-file.ts';
import { PageHost } from '#hosts/page/page-host.ts';
import { fetchWorld } from '#client/world.ts';
import type { PageContext } from '#features/shell/page-context.ts';
import { EmbeddedPage } from './embedded-page.svelte.ts';
import { PageWindow } from './page-window.svelte.ts';

/** A service that runs in an embedded page, and what shows it. */
export type Hosted = {
	readonly host: PageHost;
	readonly page: EmbeddedPage;
	readonly end: () => void;
};

/**
 * Starts the service of an embedded page. From then on the requests of the page for it go there.
 * @param site the page that SvelteKit shows
 * @param hasWorldFile whether the site has the world of its service in a file: static files do
 */
export async function startHost(site: PageContext, hasWorldFile: boolean): Promise<Hosted> {
	const text = hasWorldFile ? await readWorldFile(site.base).catch(() => undefined) : undefined;
	const host = new PageHost(site.rootUrl, { world: text === undefined ? undefined : parseWorld(text).world });
	const end = host.connect();
	const world = await fetchWorld(site.rootUrl, (url, init) => fetch(url, init));
	return { host, page: new EmbeddedPage({ site, world, shown: new PageWindow(host) }), end };
}

/** The part of a popup that a page reads (see `oob-sign-in.svelte.ts`), for the window of an embedded page. */
export function popupOf({ shown }: EmbeddedPage) {
	let isOpened = false;
	return {
		location: {
			replace: (url: string) => {
				isOpened = true;
				void shown.open(url);
			}
		},
		get closed() {
			return isOpened && shown.page === undefined;
		},
		get document() {
			return new DOMParser().parseFromString(shown.page?.text ?? '', 'text/html');
		},
		focus: () => undefined,
		close: () => shown.close()
	};
}
