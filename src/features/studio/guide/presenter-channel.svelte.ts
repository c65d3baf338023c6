/** What the presenter’s window knows of a guided demo that runs in another tab. The other end is `static/guide.js`. */
export class PresenterChannel {
	/** Index of the step. Undefined: no tab has responded. */
	at: number | undefined = $state();
	hasEnded = $state(false);
	readonly #name: string;
	#channel: BroadcastChannel | undefined;

	/** @param run id of the demo */
	constructor(run: string) {
		this.#name = `tollgate-guide ${run}`;
	}

	/** Begins to follow the demo. Returns a function that stops it. */
	open(): () => void {
		const channel = (this.#channel = new BroadcastChannel(this.#name));
		channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data));
		channel.postMessage({ ask: true });
		return () => channel.close();
	}

	/** Presses a button of the panel. */
	press(button: 'back' | 'next' | 'end'): void {
		this.#channel?.postMessage({ press: button });
	}

	#receive(data: unknown): void {
		if (typeof data !== 'object' || data === null) return;
		if ('at' in data && typeof data.at === 'number') {
			this.at = data.at;
			this.hasEnded = false;
		} else if ('ended' in data) this.hasEnded = true;
	}
}
