import type { Client } from '../client.ts';
import { problemOf } from '../problems.ts';
import type { Settings } from '../switches.ts';

/** The switches, as a page can depend on them and bind to them. */
export class Controls {
	#now: Settings;
	readonly #client: Client;

	constructor(client: Client) {
		this.#client = client;
		this.#now = $state.raw(client.switches.now);
	}

	/** Follows the switches, set here or in another tab. Returns what ends it. */
	follow(): () => void {
		const read = () => (this.#now = this.#client.switches.now);
		read();
		return this.#client.switches.listen(read);
	}

	get throttle() {
		return this.#now.throttle;
	}

	set throttle(throttle) {
		this.#set({ throttle });
	}

	get cache() {
		return this.#now.cache;
	}

	set cache(cache) {
		this.#set({ cache });
	}

	get watchAll() {
		return this.#now.watchAll;
	}

	set watchAll(watchAll) {
		this.#set({ watchAll });
	}

	get format() {
		return this.#now.format;
	}

	set format(format) {
		this.#set({ format });
	}

	get tokenFormat() {
		return this.#now.tokenFormat;
	}

	set tokenFormat(tokenFormat) {
		this.#set({ tokenFormat });
	}

	get credential() {
		return this.#now.credential;
	}

	set credential(credential) {
		this.#set({ credential });
	}

	#set(part: Partial<Settings>): void {
		this.#client.switches.change(part).catch(problemOf); // without storage the page still works
		this.#now = this.#client.switches.now;
	}
}
