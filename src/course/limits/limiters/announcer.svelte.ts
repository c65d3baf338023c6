/** Milliseconds between two announcements, at least. */
export const announcementInterval = 5000;

/** What a live region says of a chart that may change with every frame. What happens between two announcements is not read out. */
export class Announcer {
	/** Reactive. */
	text = $state('');
	#latest = '';
	#at = performance.now();
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** Announces a text as soon as the interval is over, or the one that has replaced it until then. */
	say(text: string): void {
		this.#latest = text;
		this.#timer ??= setTimeout(
			() => {
				this.#timer = undefined;
				this.#at = performance.now();
				this.text = this.#latest;
			},
			Math.max(0, this.#at + announcementInterval - performance.now())
		);
	}

	/** What was not announced yet is forgotten. */
	stop(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}
}
