import type { TrafficEntry } from '#wire/control/traffic.ts';

type LabelledValue = { readonly label: string; flow: string | undefined };

/** A client secret occurs in many flows. */
const severalFlows = 'client secret';

/**
 * Numbers the secrets and one-time values of a sandbox (`code 3`), and knows the flow of each. It knows the values by their digests,
 * and forgets the ones that occurred longest ago.
 */
export class ValueLabels {
	readonly #values = new Map<string, LabelledValue>();
	/** The last number of each kind. */
	readonly #counts = new Map<string, number>();
	readonly #max: () => number;

	/**
	 * @param max how many values are remembered now
	 * @param entries that a stored log starts with: their labels are continued
	 */
	constructor(max: () => number, entries: readonly Pick<TrafficEntry, 'values' | 'flow'>[] = []) {
		this.#max = max;
		for (const { values, flow } of entries) for (const { id, label } of values) this.#restore(id, label, flow);
	}

	/**
	 * The label of a value. A new value gets the next number of its kind.
	 * @param id digest of the value
	 * @param kind of a new value: `access token`
	 * @param flow of the exchange, if it is known
	 */
	find(id: string, kind: string, flow: string | undefined): Readonly<LabelledValue> {
		const known = this.#values.get(id) ?? this.#create(kind);
		if (!known.label.startsWith(severalFlows)) known.flow ??= flow;
		this.#values.delete(id);
		this.#values.set(id, known);
		for (const oldest of this.#values.keys()) {
			if (this.#values.size <= this.#max()) break;
			this.#values.delete(oldest);
		}
		return known;
	}

	#create(kind: string): LabelledValue {
		const count = (this.#counts.get(kind) ?? 0) + 1;
		this.#counts.set(kind, count);
		return { label: `${kind} ${count}`, flow: undefined };
	}

	#restore(id: string, label: string, flow: string | undefined): void {
		const [, kind = '', number = '0'] = /^(.+) (\d+)$/.exec(label) ?? [];
		this.#counts.set(kind, Math.max(this.#counts.get(kind) ?? 0, Number(number)));
		this.#values.set(id, { label, flow: kind === severalFlows ? undefined : flow });
	}
}
