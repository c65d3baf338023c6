import { ControlError } from './control-error.ts';

/** What a page shows of the sandbox: read once, and again after a change. */
export class Loaded<T> {
	/** Undefined until the first response. */
	value: T | undefined = $state.raw();
	/** Why the last request failed. */
	error: ControlError | undefined = $state.raw();
	readonly #read: () => Promise<T>;

	constructor(read: () => Promise<T>) {
		this.#read = read;
	}

	/** Reads it. */
	async refresh(): Promise<void> {
		try {
			this.value = await this.#read();
			this.error = undefined;
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			this.error = thrown;
		}
	}
}
