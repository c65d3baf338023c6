/** The part of `EventSource` that is used. */
export type EventStream = {
	/** 0 while it connects, 1 while it is open, 2 after it ended, as `EventSource.readyState`. */
	readonly readyState: number;
	addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
	close(): void;
};

/** What pages with the same stream tell each other. */
export type StreamMessage =
	/** Is there a leader? */
	| { readonly kind: 'question' }
	/** What the connection of the leader received. */
	| {
			readonly kind: 'event';
			/** Identifies the connection. A later one has a higher number. */
			readonly connection: number;
			readonly readyState: number;
			/** Empty: only the state is reported. */
			readonly type: string;
			readonly data: string;
	  };

/** The part of `BroadcastChannel` that is used. */
export type Channel = {
	postMessage(message: StreamMessage): void;
	addEventListener(type: 'message', listener: (event: MessageEvent<StreamMessage>) => void): void;
	close(): void;
};

/** What a page reports about itself. */
export type PageListener = {
	/** The user sees the page again. */
	readonly onVisible: () => void;
	/** The page runs no code from now on: it is frozen, kept for the Back button, or closed. */
	readonly onSuspend: () => void;
	/** The page runs again. */
	readonly onResume: () => void;
};

/** What a shared stream needs of its browser. Tests pass their own. */
export type StreamEnvironment = {
	readonly openSource: (url: string) => EventStream;
	readonly openChannel: (name: string) => Channel;
	/** Runs an action while it holds a lock, as `navigator.locks.request` does. */
	readonly requestLock: (
		name: string,
		options: Pick<LockOptions, 'signal' | 'steal' | 'ifAvailable'>,
		action: (lock: object | null) => Promise<void>
	) => Promise<void>;
	readonly isVisible: () => boolean;
	/** In milliseconds. */
	readonly now: () => number;
	/** Calls a function repeatedly. Returns a function that stops this. */
	readonly every: (run: () => void, milliseconds: number) => () => void;
	/** Returns a function that ends the subscription. */
	readonly followPage: (listener: PageListener) => () => void;
};

/** The browser of this page. Without HTTPS there are no locks, so each page is on its own. */
export function browserStreams(): StreamEnvironment {
	const canShare = 'locks' in navigator;
	return {
		openSource: (url) => new EventSource(url),
		openChannel: (name) => (canShare ? new BroadcastChannel(name) : noChannel),
		requestLock: (name, options, action) =>
			canShare ? navigator.locks.request(name, options, action) : action(noChannel),
		isVisible: () => document.visibilityState === 'visible',
		now: () => Date.now(),
		every(run, milliseconds) {
			const timer = setInterval(run, milliseconds);
			return () => clearInterval(timer);
		},
		followPage
	};
}

const noChannel: Channel = {
	postMessage: () => undefined,
	addEventListener: () => undefined,
	close: () => undefined
};

function followPage({ onVisible, onSuspend, onResume }: PageListener): () => void {
	const ended = new AbortController();
	const { signal } = ended;
	const onVisibility = () => document.visibilityState === 'visible' && onVisible();
	document.addEventListener('visibilitychange', onVisibility, { signal });
	document.addEventListener('freeze', onSuspend, { signal });
	document.addEventListener('resume', onResume, { signal });
	addEventListener('pagehide', onSuspend, { signal });
	addEventListener('pageshow', onResume, { signal });
	return () => ended.abort();
}
