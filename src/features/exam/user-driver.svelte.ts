import type { TrafficEntry } from '#api/control/traffic.ts';
import { type ControlApi, hold } from '#client/control-api/control-api.ts';
import { isResourceRequest, isTokenRequest } from '#evidence/exchanges.ts';
import { type Driver, ProbeSkipped, type SignInOptions } from '#exam/driver.ts';
import { withName } from '#exam/names.ts';
import type { ClientUrls } from './stored-exam.ts';
import { responseForm } from '#exam/response-form.ts';

/** How often the service is asked for a held authorization request, in milliseconds. */
const holdInterval = 1000;

/** The browser of the exam that is the user's own. Every other one is a private window. */
const ownBrowser = 'a';

/** What the user is asked to do. */
export type Task = {
	readonly verb: 'sign_in' | 'use' | 'sign_out' | 'begin' | 'open' | 'complete';
	/** What the button opens. Undefined: there is no button. */
	readonly url: string | undefined;
	/** The button posts the authorization response in the URL as a form. */
	readonly posts?: true;
	/** It happens in a private window, where the button cannot lead. */
	readonly isPrivate: boolean;
	/** The name of a character that the client should read. */
	readonly name?: string;
	/** The URL is the only page of the client: it does not say what to do there. */
	readonly isOnlyPage?: true;
	/** The account for the private window. The page has signed in its own browser. */
	readonly username?: string;
};

type Options = {
	/** The control API of the sandbox of the exam. */
	readonly api: ControlApi;
	readonly urls: ClientUrls;
	readonly window: ClientWindow;
	/** Signs in this browser at the service, so that the user only presses Allow. */
	readonly signInAtService: (username: string) => Promise<void>;
	readonly wait: (milliseconds: number) => Promise<void>;
	/** The exam begins with the first request of the client: what arrived before the first task may be its end. */
	readonly isFresh: boolean;
};

/** A driver whose browser is a user: it says what to do, and sees in the traffic log that it was done. */
export class UserDriver implements Driver {
	/** What the user is asked to do now. Reactive. */
	task: Task | undefined = $state.raw();
	readonly #options: Options;
	#isEnd: (entry: TrafficEntry) => boolean = () => false;
	#settle: { readonly resolve: () => void; readonly reject: (reason: Error) => void } | undefined;
	/** Tasks wait for each other: a user does one thing at a time. */
	#turn: Promise<unknown> = Promise.resolve();

	#hasAsked = false;
	/** What arrived before the first task. */
	#early: TrafficEntry[] = [];

	constructor(options: Options) {
		this.#options = options;
	}

	async signIn(browser: string, { username, expect = 'success' }: SignInOptions): Promise<void> {
		const user = await this.#prepare(browser, username);
		const isEnd = (entry: TrafficEntry) =>
			isTokenRequest(entry, 'authorization_code') || (expect === 'error' && isErrorRedirect(entry));
		await this.#ask({ verb: 'sign_in', ...this.#at(browser, this.#options.urls.signIn), ...user }, isEnd);
	}

	use(browser: string, name: string): Promise<void> {
		const { urls, window, wait } = this.#options;
		const url = URL.canParse(urls.use) ? withName(urls.use, name) : '';
		if (browser === ownBrowser && url !== '' && window.isOpen()) {
			return this.#inTurn(async () => {
				window.open(url);
				await wait(0);
			});
		}
		const { signIn, signOut } = urls;
		const only = url === '' && signIn === signOut && signIn !== '' ? { url: signIn, isOnlyPage: true as const } : {};
		return this.#ask({ verb: 'use', ...this.#at(browser, url), ...only, name }, isResourceRequest);
	}

	signOut(browser: string): Promise<void> {
		const isEnd = ({ endpoint }: TrafficEntry) => endpoint === 'revoke';
		return this.#ask({ verb: 'sign_out', ...this.#at(browser, this.#options.urls.signOut) }, isEnd);
	}

	/** Holds the authorization request at the service, so that its state can be read, and drops it. */
	async begin(browser: string, { username }: SignInOptions): Promise<string | undefined> {
		const user = await this.#prepare(browser, username);
		const { api, urls, wait } = this.#options;
		let url: string | undefined;
		let isOver = false;
		const watch = async (): Promise<void> => {
			if (isOver) return;
			const { held } = await hold(api, ['authorization_request']);
			const message = held.find(({ point }) => point === 'authorization_request');
			if (message === undefined) {
				await wait(holdInterval);
				return watch();
			}
			const query = new URLSearchParams(message.parameters.map(({ name, value }) => [name, value]));
			url = `${new URL(message.target, api.baseUrl).href}?${query.toString()}`;
			await api.request('POST /control/pause/{id}', { path: { id: message.id }, body: { action: 'drop' } });
			this.done();
		};
		try {
			const asked = this.#ask({ verb: 'begin', ...this.#at(browser, urls.signIn), ...user }, () => false);
			await Promise.all([asked.finally(() => (isOver = true)), watch()]);
		} finally {
			isOver = true;
			await hold(api, []);
		}
		return url;
	}

	async open(
		browser: string,
		url: string,
		{ posts = false, isOwn = false }: Pick<SignInOptions, 'posts' | 'isOwn'> = {}
	): Promise<void> {
		const isEnd = (entry: TrafficEntry) => isTokenRequest(entry, 'authorization_code');
		// An authorization request that was held before goes on. All other URLs are those of an attacker.
		const verb = url.startsWith(`${this.#options.api.baseUrl}/`) ? 'sign_in' : isOwn ? 'complete' : 'open';
		await this.#ask({ verb, ...this.#at(browser, url), ...(posts ? { posts } : {}) }, isEnd);
	}

	stop(): Promise<void> {
		this.#settle?.reject(new ProbeSkipped());
		return Promise.resolve();
	}

	/** An exchange was recorded. */
	arrived(entry: TrafficEntry): void {
		if (this.#options.isFresh && !this.#hasAsked) this.#early.push(entry);
		if (this.#isEnd(entry)) this.done();
	}

	/** The user has done it. */
	done(): void {
		this.#settle?.resolve();
	}

	/** The user leaves out this probe. */
	skip(): void {
		this.#settle?.reject(new ProbeSkipped());
	}

	async #prepare(browser: string, username: string): Promise<Pick<Task, 'username'>> {
		if (browser !== ownBrowser) return { username };
		await this.#options.signInAtService(username);
		return {};
	}

	#at(browser: string, url: string): Pick<Task, 'url' | 'isPrivate'> {
		return { url: url === '' ? undefined : url, isPrivate: browser !== ownBrowser };
	}

	#ask(task: Task, isEnd: (entry: TrafficEntry) => boolean): Promise<void> {
		return this.#inTurn(async () => {
			try {
				await new Promise<void>((resolve, reject) => {
					this.#settle = { resolve, reject };
					this.#isEnd = isEnd;
					this.task = task;
					this.#hasAsked = true;
					if (this.#early.some(isEnd)) resolve();
					this.#early = [];
				});
			} finally {
				this.#settle = undefined;
				this.#isEnd = () => false;
				this.task = undefined;
			}
		});
	}

	#inTurn(act: () => Promise<void>): Promise<void> {
		const turn = this.#turn.then(act, act);
		this.#turn = turn.catch(() => undefined);
		return turn;
	}
}

/** A redirect back with an error in place of a code. */
function isErrorRedirect({ endpoint, response }: TrafficEntry): boolean {
	const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
	return endpoint === 'auth' && /[?&]error=/.test(location);
}

/** The window in which a user operates the client under test. */
export type ClientWindow = {
	/** Opens a URL. The first time it needs a press of the user, and so after the user has closed the window. */
	readonly open: (url: string) => void;
	/** Posts the authorization response in a URL as a form. It needs what `open` needs. */
	readonly post: (url: string) => void;
	/** Whether `open` works without a press of the user. */
	readonly isOpen: () => boolean;
};

const windowName = 'tollgate-exam-client';

/** A window beside the page, so that both are in view. */
export function createClientWindow(): ClientWindow {
	let opened: Window | null = null;
	const isOpen = () => opened?.closed === false;
	const show = (url: string) => {
		if (isOpen()) opened?.location.replace(url);
		else opened = open(url, windowName, 'popup,width=560,height=760');
		opened?.focus();
	};
	return {
		isOpen,
		open: show,
		post: (url) => {
			if (!isOpen()) show('about:blank');
			const form = formElement(url);
			document.body.append(form);
			form.submit();
			form.remove();
			opened?.focus();
		}
	};
}

/** The authorization response in a URL, as a form that leads to the window. */
function formElement(url: string): HTMLFormElement {
	const { action, fields } = responseForm(url);
	const form = Object.assign(document.createElement('form'), { method: 'post', target: windowName, action });
	for (const [name, value] of fields)
		form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
	return form;
}
