import type {
	Channel,
	EventStream,
	PageListener,
	StreamEnvironment,
	StreamMessage
} from '#client/control-api/stream-environment.ts';

type Listener = (event: MessageEvent<string>) => void;

/** A connection to the service, which the test sends events to. */
export class FakeSource implements EventStream {
	readyState = 0;
	readonly #listeners = new Map<string, Listener>();

	constructor(
		readonly url: string,
		readonly page: FakePage
	) {}

	addEventListener(type: string, listener: Listener): void {
		this.#listeners.set(type, listener);
	}

	close(): void {
		this.readyState = 2;
	}

	open(): void {
		this.readyState = 1;
		this.emit('open');
	}

	emit(type: string, data = ''): void {
		if (!this.page.isSuspended) this.#listeners.get(type)?.(new MessageEvent(type, { data }));
	}

	fail(readyState: 0 | 2): void {
		this.readyState = readyState;
		this.emit('error');
	}
}

type Request = {
	readonly page: FakePage;
	readonly action: (lock: object | null) => Promise<void>;
	readonly settle: { readonly resolve: () => void; readonly reject: (reason: Error) => void };
};

/** The pages of one browser: they share locks and channels, and see each other's messages a task later. */
export class FakeBrowser {
	now = 0;
	readonly sources: FakeSource[] = [];
	readonly #pages = new Set<FakePage>();
	readonly #held = new Map<string, Request>();
	readonly #queues = new Map<string, Request[]>();

	/** The connections that the service sees. */
	get connections(): readonly FakeSource[] {
		return this.sources.filter(({ page, readyState }) => readyState !== 2 && !page.isGone);
	}

	openPage(): FakePage {
		const page = new FakePage(this);
		this.#pages.add(page);
		return page;
	}

	/** Runs the tasks that are due. */
	async settle(): Promise<void> {
		for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
	}

	/** Time passes for all pages that run. */
	async pass(milliseconds: number, step = 1000): Promise<void> {
		for (let passed = 0; passed < milliseconds; passed += step) {
			this.now += step;
			for (const page of this.#pages) page.runTimers();
			await this.settle();
		}
	}

	/** The locks of pages that are gone are free. */
	release(gone: FakePage): void {
		for (const [name, queue] of this.#queues)
			this.#queues.set(
				name,
				queue.filter(({ page }) => page !== gone)
			);
		for (const [name, { page }] of [...this.#held]) if (page === gone) this.#free(name);
	}

	post(from: FakeChannel, message: StreamMessage): void {
		for (const page of this.#pages) page.deliver(from, message);
	}

	requestLock(page: FakePage, ...[name, options, action]: Parameters<StreamEnvironment['requestLock']>): Promise<void> {
		return new Promise((resolve, reject) => {
			const settle = { resolve: () => page.run(resolve), reject: (reason: Error) => page.run(() => reject(reason)) };
			const request: Request = { page, action, settle };
			const holder = this.#held.get(name);
			if (options.steal === true) {
				holder?.settle.reject(new DOMException('Stolen', 'AbortError'));
				this.#grant(name, request);
			} else if (holder === undefined) this.#grant(name, request);
			else if (options.ifAvailable === true) void action(null).then(resolve);
			else {
				this.#queues.set(name, [...(this.#queues.get(name) ?? []), request]);
				options.signal?.addEventListener('abort', () => {
					const queue = this.#queues.get(name) ?? [];
					this.#queues.set(
						name,
						queue.filter((one) => one !== request)
					);
					reject(new DOMException('Aborted', 'AbortError'));
				});
			}
		});
	}

	#grant(name: string, request: Request): void {
		this.#held.set(name, request);
		const run = async () => {
			await request.action({});
			if (this.#held.get(name) === request) this.#free(name);
			request.settle.resolve();
		};
		request.page.run(() => void run());
	}

	#free(name: string): void {
		this.#held.delete(name);
		const next = this.#queues.get(name)?.shift();
		if (next !== undefined) this.#grant(name, next);
	}
}

type FakeChannel = { readonly name: string; readonly receive: (message: StreamMessage) => void };

export class FakePage {
	isVisible = true;
	isSuspended = false;
	isGone = false;
	readonly #browser: FakeBrowser;
	readonly #channels = new Set<FakeChannel>();
	readonly #listeners = new Set<PageListener>();
	readonly #timers = new Set<{ readonly run: () => void; readonly every: number; due: number }>();
	#waiting: (() => void)[] = [];

	constructor(browser: FakeBrowser) {
		this.#browser = browser;
	}

	/** The page is closed, or its process crashes: no code of it runs any more. */
	crash(): void {
		this.isGone = true;
		this.#channels.clear();
		this.#timers.clear();
		this.#browser.release(this);
	}

	/** The browser stops the page without a word. What it holds stays held. */
	suspend(): void {
		this.isSuspended = true;
	}

	/** The page runs again. What arrived meanwhile is delivered. */
	wake(): void {
		this.isSuspended = false;
		this.#waiting.splice(0).forEach((run) => run());
	}

	show(): void {
		this.isVisible = true;
		for (const { onVisible } of this.#listeners) onVisible();
	}

	freeze(): void {
		for (const { onSuspend } of [...this.#listeners]) onSuspend();
	}

	resume(): void {
		for (const { onResume } of [...this.#listeners]) onResume();
	}

	deliver(from: FakeChannel, message: StreamMessage): void {
		for (const channel of this.#channels) {
			if (channel === from || channel.name !== from.name) continue;
			this.run(() => this.#channels.has(channel) && channel.receive(message));
		}
	}

	runTimers(): void {
		if (this.isSuspended) return;
		for (const timer of this.#timers) {
			if (timer.due > this.#browser.now) continue;
			timer.due = this.#browser.now + timer.every;
			timer.run();
		}
	}

	readonly environment: StreamEnvironment = {
		openSource: (url) => {
			const source = new FakeSource(url, this);
			this.#browser.sources.push(source);
			return source;
		},
		openChannel: (name) => this.#openChannel(name),
		requestLock: (...request) => this.#browser.requestLock(this, ...request),
		isVisible: () => this.isVisible,
		now: () => this.#browser.now,
		every: (run, milliseconds) => {
			const timer = { run, every: milliseconds, due: this.#browser.now + milliseconds };
			this.#timers.add(timer);
			return () => void this.#timers.delete(timer);
		},
		followPage: (listener) => {
			this.#listeners.add(listener);
			return () => void this.#listeners.delete(listener);
		}
	};

	#openChannel(name: string): Channel {
		const listeners: ((event: MessageEvent<StreamMessage>) => void)[] = [];
		const channel: FakeChannel = {
			name,
			receive: (message) => listeners.forEach((listener) => listener(new MessageEvent('message', { data: message })))
		};
		this.#channels.add(channel);
		return {
			postMessage: (message) => this.#browser.post(channel, message),
			addEventListener: (_, listener) => void listeners.push(listener),
			close: () => void this.#channels.delete(channel)
		};
	}

	/** Runs a task, once the page is not suspended. */
	run(task: () => void): void {
		setImmediate(() => {
			if (this.isGone) return;
			if (this.isSuspended) this.#waiting.push(task);
			else task();
		});
	}
}
