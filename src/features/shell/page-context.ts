import { createContext } from 'svelte';
import type { ControlApi } from '#client/control-api/control-api.ts';
import type { World } from '#client/world.ts';
import type { AppLocation } from './app-location.ts';
import type { BothEndsState } from './both-ends.svelte.ts';
import type { MySandboxes } from './my-sandboxes.svelte.ts';
import type { SandboxStatusMonitor } from './sandbox-status.svelte.ts';

/** The open page: where it is, and what all pages share. Its properties are reactive, so read them where they are used. */
export type PageContext = AppLocation & {
	/** Path that the app is served from, without a trailing slash. */
	readonly base: string;
	/** Prefix of links to lessons: the seat of a student in a class, which has all of them. Otherwise `base`. */
	readonly lessonHome: string;
	/** As the address bar shows it. */
	readonly url: URL;
	/** The world of the sandbox. */
	readonly world: World;
	/** Whether programs and browsers outside this one can send requests to the service. In the static build they cannot. */
	readonly isReachable: boolean;
	/** Whether another site has the page in a frame. Nothing of this site is around it, and its service is in the page. */
	readonly isEmbedded?: boolean;
	/** The control API of the sandbox. */
	readonly api: ControlApi;
	/** The status of the sandbox. */
	readonly monitor: SandboxStatusMonitor;
	/** The exchange that the strip at the bottom of the page shows. */
	readonly bothEnds: BothEndsState;
	/** The sandboxes that this browser remembers. */
	readonly mySandboxes: MySandboxes;
	/**
	 * Opens a page.
	 * @param href URL or path with the base
	 */
	go(href: string, options?: GoOptions): void;
};

export type GoOptions = {
	/** The page is loaded from the server. For pages that the service renders, and for other sandboxes. */
	readonly reload?: boolean;
	/** The page takes the place of the open one in the history. */
	readonly replace?: boolean;
	/**
	 * The page was left for pages of the service. The history goes back to it, so that Back does not lead to those pages, which were
	 * completed. A browser without the Navigation API replaces the open page.
	 */
	readonly returns?: boolean;
	/** Focus and scroll position stay. For a change of the query. */
	readonly stay?: boolean;
};

/** The page that shows a component. A component can set another one for its children. */
export const [getPage, setPage] = createContext<PageContext>();
