import type { Client } from '../client.ts';
import { characterAddress, patterns } from '../endpoints.ts';
import { hammer, type Tally } from '../manners/hammer.ts';

/** The hammer: what happens without good manners. */
export class Hammering {
	tally: Tally | undefined = $state.raw();
	running = $state(false);
	readonly #client: Client;
	#stop: AbortController | undefined;

	constructor(client: Client) {
		this.#client = client;
	}

	/** Calls a character until the service falls silent, or until stopped. */
	async start(session: string, name: string): Promise<void> {
		if (this.running) return;
		this.running = true;
		const stop = new AbortController();
		this.#stop = stop;
		const { endpoints, resources, ledger } = this.#client;
		const meter = ledger.meter(patterns.character);
		const most = (meter?.limit ?? 600) * 2 + 400;
		const address = characterAddress(endpoints.base_url, name);
		const call = { session, address, pattern: patterns.character, format: 'json', credential: 'header' } as const;
		try {
			this.tally = await hammer(resources, call, most, stop.signal, (tally) => (this.tally = tally));
		} finally {
			this.running = false;
		}
	}

	/** Stops it. */
	stop(): void {
		this.#stop?.abort();
	}
}
