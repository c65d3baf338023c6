import type { TrafficEntry } from '#api/control/traffic.ts';
import { credentialId } from '#client/control-api/control-api.ts';

/** The requests that the exam itself sends to the service, as an attacker or to blacklist an address. They show nothing about the client. */
export class OwnRequests {
	/** The ids of codes that were issued to the attacker. The client must not use them. */
	readonly codes = new Set<string>();
	/** Of responses: `X-Request-Id`. */
	readonly #requests = new Set<string>();
	/** The ids of the states of authorization requests. */
	readonly #states = new Set<string>();

	/** Adds a request by the id of its response. */
	add(id: string | null): void {
		if (id !== null) this.#requests.add(id);
	}

	/** A state that marks an authorization request as one of the exam. */
	async newState(): Promise<string> {
		const state = crypto.randomUUID();
		this.#states.add(await credentialId(state));
		return state;
	}

	/** The entries of others. @param entries oldest first */
	without(entries: readonly TrafficEntry[]): TrafficEntry[] {
		const flows = new Set<string>();
		return entries.filter(({ id, endpoint, values, flow = '' }) => {
			if (this.#requests.has(id)) return false;
			if (endpoint !== 'auth') return true;
			if (values.some((value) => this.#states.has(value.id))) flows.add(flow);
			return !flows.has(flow);
		});
	}
}
