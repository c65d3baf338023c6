import { Browser, type BrowserOptions, type Page } from './browser.ts';
import type { Driver, SignInOptions } from './driver.ts';
import { withName } from './names.ts';

/** How to operate a client with a browser of the exam. A function throws if the client cannot be operated at all. */
export type ClientActions = {
	/** Opens the page that starts a sign-in. */
	readonly signIn: (open: Open, options: SignInOptions) => Promise<unknown>;
	/** Makes the client read a character. Absent: steps that need it are left out. */
	readonly use?: (open: Open, name: string) => Promise<unknown>;
	readonly signOut?: (open: Open) => Promise<unknown>;
	readonly stop?: () => Promise<void>;
};

/** Opens a URL in the browser of the user, with its redirects. */
export type Open = (url: string) => Promise<Page>;

/** The pages of a web client. */
export type ClientUrls = {
	readonly signIn: string;
	/** `{name}` is the name of a character. Without it, the parameter `name` is added. */
	readonly use?: string;
	readonly signOut?: string;
};

/** Operates a client whose pages have these URLs. */
export function actionsOf({ signIn, use, signOut }: ClientUrls): ClientActions {
	return {
		signIn: (open) => open(signIn),
		...(use === undefined ? {} : { use: (open, name) => open(withName(use, name)) }),
		...(signOut === undefined ? {} : { signOut: (open) => open(signOut) })
	};
}

/** Creates a driver that operates a client through browsers of the exam. */
export function createWebDriver(actions: ClientActions, given: BrowserOptions): Driver {
	let secretIn: string | undefined;
	const options = { ...given, onSecret: (place: string) => void (secretIn ??= place) };
	const browsers = new Map<string, Browser>();
	const browserOf = (name: string, isFresh = false): Browser => {
		const known = isFresh ? undefined : browsers.get(name);
		const browser = known ?? new Browser(options);
		browsers.set(name, browser);
		return browser;
	};
	const { use, signOut, stop } = actions;
	return {
		async signIn(name, user) {
			const browser = browserOf(name, user.isFresh);
			if (user.leavesService === true) browser.leaveService();
			await actions.signIn((url) => browser.open(url, { ...user, intent: 'sign-in' }), user);
		},
		...(use === undefined
			? {}
			: {
					use: async (name, character) => {
						const browser = browserOf(name);
						await use((url) => browser.open(url), character);
					}
				}),
		...(signOut === undefined
			? {}
			: {
					signOut: async (name) => {
						await signOut((url) => browserOf(name).open(url, { intent: 'sign-out' }));
					}
				}),
		async begin(name, user) {
			const browser = browserOf(name, user.isFresh);
			let begun: string | undefined;
			await actions.signIn(async (url) => {
				const page = await browser.open(url, { stopsAtService: true, intent: 'sign-in' });
				if (page.url.startsWith(`${options.baseUrl}/`)) begun = page.url;
				return page;
			}, user);
			return begun;
		},
		async open(name, url, user) {
			// Who follows the link of an attacker does not sign in again.
			const isService = url.startsWith(`${options.baseUrl}/`);
			const page = await browserOf(name).open(
				url,
				isService ? { ...user, posts: false } : { posts: user.posts === true, isLink: true }
			);
			return page.status !== 0;
		},
		page: (name) => browserOf(name).page,
		secretIn: () => secretIn,
		obstacle: (name) => browserOf(name).obstacle,
		async stop() {
			await stop?.();
		}
	};
}
