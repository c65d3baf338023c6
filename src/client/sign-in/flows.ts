import { Problem } from '../problems.ts';
import type { Shelf } from '../shelf.ts';

/** A sign-in that was started here: everything its answer is held against. */
export type Flow = {
	readonly state: string;
	/** The tab that started it. */
	readonly tab: string;
	/** Base URL of the service that was asked: the only one its code is ever sent to. */
	readonly service: string;
	readonly client_id: string;
	readonly redirect_uri: string;
	readonly scope: readonly string[];
	readonly access_type: 'online' | 'offline';
	/** The PKCE verifier, where a challenge was sent. */
	readonly verifier: string | null;
	/** Milliseconds since 1970, by this machine's clock. */
	readonly started: number;
	readonly stage: 'started' | 'exchanging' | 'done' | 'failed';
	/** The session that came of it, or that it is meant to renew. */
	readonly session: string | null;
	/** Code and text of the problem that ended it. */
	readonly problem: readonly [code: string, detail: string] | null;
};

/** The service keeps a pending request for ten minutes; so do we. */
const lifetime = 10 * 60_000;
const kept = 20;

/** The sign-ins of this browser. Each state works once, whoever comes first. */
export class Flows {
	readonly #shelf: Shelf;
	readonly #now: () => number;

	/**
	 * @param shelf where they are kept
	 * @param now this machine's clock, in milliseconds since 1970
	 */
	constructor(shelf: Shelf, now: () => number) {
		this.#shelf = shelf;
		this.#now = now;
	}

	/** Remembers a sign-in before the browser leaves for the service. */
	async start(flow: Omit<Flow, 'started' | 'stage' | 'problem'>): Promise<void> {
		const next: Flow = { ...flow, started: this.#now(), stage: 'started', problem: null };
		await this.#shelf.update('flows', (flows = []) => [...this.#live(flows), next].slice(-kept));
	}

	/**
	 * Finds the sign-in that an answer belongs to and uses it up, in one step.
	 * @param state as the answer carried it
	 * @param tab the tab the answer arrived in
	 * @param service base URL of the service whose callback this is
	 * @throws {Problem} `state_unknown`, `state_used`, `state_elsewhere` or `service_mixed_up`, with nothing changed
	 */
	async take(state: string, tab: string, service: string): Promise<Flow> {
		let taken: Flow | undefined;
		let refused: string | undefined;
		await this.#shelf.update('flows', (flows = []) => {
			taken = undefined;
			const live = this.#live(flows);
			const found = live.find((flow) => flow.state === state);
			refused = found === undefined ? 'state_unknown' : objection(found, tab, service);
			if (found === undefined || refused !== undefined) return live;
			const next: Flow = { ...found, stage: 'exchanging' };
			taken = next;
			return live.map((flow) => (flow === found ? next : flow));
		});
		if (taken === undefined) throw new Problem(refused ?? 'state_unknown');
		return taken;
	}

	/** Notes how a sign-in ended. */
	async finish(state: string, end: Pick<Flow, 'stage' | 'session' | 'problem'>): Promise<void> {
		await this.#shelf.update('flows', (flows = []) =>
			// The verifier has done its work; what stays is only what tells a second use from an unknown one.
			flows.map((flow) => (flow.state === state ? { ...flow, ...end, verifier: null } : flow))
		);
	}

	/** The last sign-in of a tab at a service, for a callback page that is opened without an answer. */
	async latest(tab: string, service: string): Promise<Flow | undefined> {
		const flows = this.#live((await this.#shelf.read('flows')) ?? []);
		return flows.findLast((flow) => flow.tab === tab && flow.service === service);
	}

	#live(flows: readonly Flow[]): readonly Flow[] {
		return flows.filter(({ started }) => Math.abs(this.#now() - started) < lifetime);
	}
}

function objection(flow: Flow, tab: string, service: string): string | undefined {
	if (flow.stage !== 'started') return 'state_used';
	if (flow.service !== service) return 'service_mixed_up';
	return flow.tab === tab ? undefined : 'state_elsewhere';
}
