import type { Client } from '../client.ts';
import { patterns } from '../endpoints.ts';
import { problemOf, type Problem } from '../problems.ts';
import type { Meter } from '../resources/ledger.ts';
import { limitsOf, type LimitRecord } from '../resources/ratelimits.ts';

/** The gauges: what the headers of answers said, and beside it what `ratelimits` says when asked. */
export class Meters {
	list: readonly Meter[] = $state.raw([]);
	records: readonly LimitRecord[] | undefined = $state.raw();
	/** When `ratelimits` was asked, in milliseconds by the service's clock. */
	asked = $state(0);
	asking = $state(false);
	problem: Problem | undefined = $state.raw();
	readonly #client: Client;

	constructor(client: Client) {
		this.#client = client;
		const { limits } = client.desk.now;
		if (limits !== null) ({ records: this.records, asked: this.asked } = limits);
	}

	/** Follows the headers of every answer. Returns what ends it. */
	follow(): () => void {
		this.list = this.#client.ledger.meters;
		return this.#client.ledger.listen(() => (this.list = this.#client.ledger.meters));
	}

	/** Asks the service how the limits stand; that is a call, and counts. */
	async ask(session: string): Promise<void> {
		if (this.asking) return;
		const { resources, endpoints, clock, desk } = this.#client;
		this.asking = true;
		this.problem = undefined;
		try {
			const call = { session, address: endpoints.ratelimits, pattern: patterns.ratelimits } as const;
			const { tree } = await resources.call({ ...call, format: 'json', credential: 'header' });
			this.records = limitsOf(tree);
			this.asked = clock.now();
			// Without storage the page still works.
			desk.put({ limits: { records: this.records, asked: this.asked } }).catch(problemOf);
		} catch (thrown) {
			this.problem = problemOf(thrown);
		} finally {
			this.asking = false;
		}
	}
}
