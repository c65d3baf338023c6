import type { HeldDecision, HeldMessage, PausePoint } from '#api/control/pause.ts';
import { type ControlApi, hold } from '#client/control-api/control-api.ts';
import { Query } from '#client/control-api/query.svelte.ts';

/** How long before the service drops the message of a browser its page continues automatically, in milliseconds. */
const reserve = 2000;
/** How often the held messages are read, in milliseconds. Reading them also keeps them held. */
const interval = 1000;

/** What a decision about a message does in this browser. */
type Browser = {
	/** Continues a navigation. `isForm`: by POST. `inNewTab`: beside this page. */
	readonly go: (url: string, options: { isForm: boolean; inNewTab: boolean }) => void;
};

/** The held messages of a sandbox, and the decisions about them. */
export class HeldMessages {
	readonly #api: ControlApi;
	readonly #browser: Browser;
	readonly #query = new Query((signal) => this.#api.request('PUT /control/pause', { body: {}, signal }));

	constructor(api: ControlApi, browser: Browser) {
		this.#api = api;
		this.#browser = browser;
	}

	/** Where messages are held. Reactive. */
	get points(): readonly PausePoint[] {
		return this.#query.data?.points ?? [];
	}

	/** The messages that wait, oldest first. Reactive. */
	get held(): readonly HeldMessage[] {
		return this.#query.data?.held ?? [];
	}

	/** How many messages were not held, and why the latest of them was not. Empty if all were. Reactive. */
	get passed(): string {
		const { passed = 0, passed_because = '' } = this.#query.data ?? {};
		if (passed === 0) return '';
		return ` Not held: ${passed}. ${passed === 1 ? '' : 'The latest: '}${passed_because}`;
	}

	/** False until the service has responded. Reactive. */
	get isRead(): boolean {
		return this.#query.data !== undefined;
	}

	/** Why the latest read failed. Reactive. */
	get error() {
		return this.#query.error;
	}

	/**
	 * Reads the messages every second, in a hidden tab too: clients wait as long as a page does this.
	 * @returns stops
	 */
	follow(): () => void {
		void this.#query.refresh();
		const timer = setInterval(() => void (this.#query.isLoading || this.#query.refresh()), interval);
		const stop = this.#query.poll();
		return () => {
			clearInterval(timer);
			stop();
		};
	}

	/**
	 * Holds the messages at these points; none: holds no message any more.
	 * @throws ControlError
	 */
	async hold(points: readonly PausePoint[]): Promise<void> {
		await hold(this.#api, points);
		await this.#query.refresh();
	}

	/**
	 * Decides about a message. A browser that waits for it continues.
	 * @throws ControlError `not_found` if it continued already
	 */
	async decide({ id }: HeldMessage, decision: HeldDecision): Promise<void> {
		const { location, is_form = false } = await this.#api.request('POST /control/pause/{id}', {
			path: { id },
			body: decision
		});
		if (location === undefined) return this.#query.refresh();
		if (decision.action === 'duplicate') this.#browser.go(location, { isForm: is_form, inNewTab: true });
		this.#browser.go(location, { isForm: is_form, inNewTab: false });
	}

	/**
	 * Releases the message of this browser unchanged when its time is over: the service cannot send a browser on.
	 * @returns cancels
	 */
	releaseInTime(message: HeldMessage): () => void {
		const release = () => this.decide(message, { action: 'release' }).catch(() => this.#query.refresh());
		const timer = setTimeout(() => void release(), message.until - Date.now() - reserve);
		return () => clearTimeout(timer);
	}

	/**
	 * Moves the sandbox clock, then releases a message unchanged.
	 * @param seconds by which the clock moves
	 * @throws ControlError
	 */
	async delay(message: HeldMessage, seconds: number): Promise<void> {
		await this.#api.request('POST /control/clock', { body: { advance: seconds } });
		await this.decide(message, { action: 'release' });
	}
}

/** New values of the parameters of one message, while they are typed. */
export class ParameterChanges {
	#values: ReadonlyMap<string, string> = $state.raw(new Map());
	readonly #message: HeldMessage;

	constructor(message: HeldMessage) {
		this.#message = message;
	}

	/** The value of a field. A secret is empty until a new one is typed. */
	valueOf(name: string): string {
		const sent = this.#message.parameters.find((parameter) => parameter.name === name);
		return this.#values.get(name) ?? (sent?.is_secret === true ? '' : (sent?.value ?? ''));
	}

	set(name: string, value: string): void {
		this.#values = new Map([...this.#values, [name, value]]);
	}

	undo(name: string): void {
		this.#values = new Map([...this.#values].filter(([other]) => other !== name));
	}

	isChanged(name: string): boolean {
		return Object.hasOwn(this.changes, name);
	}

	/** The changed ones only. An emptied field removes its parameter. Reactive. */
	readonly changes: Readonly<Record<string, string | null>> = $derived.by(() => {
		const changed = this.#message.parameters.flatMap(({ name, value, is_secret }): [string, string | null][] => {
			const typed = this.#values.get(name);
			if (typed === undefined || (is_secret ? typed === '' : typed === value)) return [];
			return [[name, typed === '' ? null : typed]];
		});
		return Object.fromEntries(changed);
	});
}
