import type { Client } from '../client.ts';
import type { Standing } from '../manners/breaker.ts';

/** What the page says when the service does not answer. */
export class Silence {
	holding = $state(false);
	asking = $state(false);
	standing: Standing | undefined = $state.raw();
	/** When `/ratelimiting` is asked again, in milliseconds by this machine's clock. */
	next = $state(0);
	/** A silence has ended, and nobody has said yet that they know. */
	recovered = $state(false);
	readonly #client: Client;

	constructor(client: Client) {
		this.#client = client;
	}

	/** Follows the breaker. Returns what ends it. */
	follow(): () => void {
		this.#read();
		return this.#client.breaker.listen(() => this.#read());
	}

	/** Asks `/ratelimiting` now. */
	async ask(): Promise<void> {
		await this.#client.breaker.probe();
	}

	#read(): void {
		const { isOpen, isAsking, standing, nextProbe } = this.#client.breaker;
		this.recovered = (this.recovered || this.holding) && !isOpen;
		this.holding = isOpen;
		this.asking = isAsking;
		this.standing = standing;
		this.next = nextProbe;
	}
}
