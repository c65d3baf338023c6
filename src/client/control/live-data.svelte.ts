import { ControlError } from './control-error.ts';

/** How long `refreshSoon` waits for further calls, in milliseconds. */
const soon = 400;

/** Data of the service that a page shows and reads again while it is visible. */
export class LiveData<T> {
	/** Undefined until it was read. A later failure keeps it. */
	data: T | undefined = $state.raw();
	/** Why the latest request failed. */
	error: ControlError | undefined = $state.raw();
	isLoading = $state(false);
	readonly #read: () => Promise<T>;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** @param read throws `ControlError` */
	constructor(read: () => Promise<T>) {
		this.#read = read;
	}

	/** Reads the data, unless that is under way. Never rejects, see `error`. */
	async refresh(): Promise<void> {
		if (this.isLoading) return;
		this.isLoading = true;
		try {
			this.data = await this.#read();
			this.error = undefined;
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			this.error = thrown;
		} finally {
			this.isLoading = false;
		}
	}

	/** Reads the data soon, once for many calls. */
	refreshSoon(): void {
		if (this.#timer !== undefined) return;
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			void this.refresh();
		}, soon);
	}

	/**
	 * Reads the data now, when the tab becomes visible, and repeatedly while it is visible.
	 * @param interval in milliseconds
	 * @param isNeeded whether the data can change
	 * @returns stops
	 */
	follow(interval: number, isNeeded: () => boolean = () => true): () => void {
		const refreshIfVisible = () => void (document.visibilityState === 'visible' && this.refresh());
		const timer = setInterval(() => isNeeded() && refreshIfVisible(), interval);
		document.addEventListener('visibilitychange', refreshIfVisible);
		void this.refresh();
		return () => {
			clearInterval(timer);
			document.removeEventListener('visibilitychange', refreshIfVisible);
		};
	}
}
