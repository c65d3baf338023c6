import type { TrafficEntry } from '#api/control/traffic.ts';
import { attacker } from './sandbox.ts';

/** The requests that the exam itself sends to the service, as an attacker or to blacklist an address. They show nothing about the client. */
export class OwnRequests {
	/** The ids of codes that were issued to the attacker. The client must not use them. */
	readonly codes = new Set<string>();
	/** Of responses: `X-Request-Id`. */
	readonly #requests = new Set<string>();

	/** Adds a request by the id of its response. */
	add(id: string | null): void {
		if (id !== null) this.#requests.add(id);
	}

	/** The entries of others. The browser of the attacker is one of the exam, but what a client pushed is its own. */
	without(entries: readonly TrafficEntry[]): TrafficEntry[] {
		return entries.filter(
			({ id, endpoint, username }) => !this.#requests.has(id) && !(endpoint === 'auth' && username === attacker)
		);
	}
}
