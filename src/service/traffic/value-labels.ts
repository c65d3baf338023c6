import type { TrafficEntry } from '#api/control/traffic.ts';

type LabeledValue = { readonly label: string; flow: string | undefined };

/** Labels secrets and one-time values. */
export interface LabelSource {
	/**
	 * The label of a value. A new value gets the next number of its kind.
	 * @param id digest of the value
	 * @param kind of a new value: `access token`
	 * @param flow of the exchange, if it is known
	 */
	find(id: string, kind: string, flow: string | undefined): Readonly<LabeledValue>;
}

/** A client secret occurs in many flows. */
export const severalFlows = 'client secret';

/**
 * Numbers the secrets and one-time values of a sandbox (`code 3`), and knows the flow of each. It knows the values by their digests,
 * and forgets the ones that occurred longest ago.
 */
export class ValueLabels implements LabelSource {
	/**
	 * The values that occurred lately, and those before. A full map replaces the older one: to delete single values from the start of
	 * a map costs more than all else in `find`.
	 */
	#values = new Map<string, LabeledValue>();
	#older = new Map<string, LabeledValue>();
	/** The last number of each kind. */
	readonly #counts = new Map<string, number>();
	readonly #max: () => number;

	/**
	 * @param max how many of the latest values are remembered now. Up to twice as many can be
	 * @param entries that a stored log starts with: their labels are continued
	 */
	constructor(max: () => number, entries: readonly Pick<TrafficEntry, 'values' | 'flow'>[] = []) {
		this.#max = max;
		for (const { values, flow } of entries) for (const { id, label } of values) this.#restore(id, label, flow);
	}

	find(id: string, kind: string, flow: string | undefined): Readonly<LabeledValue> {
		const recent = this.#values.get(id);
		const known = recent ?? this.#older.get(id) ?? this.#create(kind);
		if (known.flow === undefined && !known.label.startsWith(severalFlows)) known.flow = flow;
		if (recent === undefined) this.#add(id, known);
		return known;
	}

	#add(id: string, value: LabeledValue): void {
		if (this.#values.size >= this.#max()) {
			this.#older = this.#values;
			this.#values = new Map();
		}
		this.#values.set(id, value);
	}

	#create(kind: string): LabeledValue {
		const count = (this.#counts.get(kind) ?? 0) + 1;
		this.#counts.set(kind, count);
		return { label: `${kind} ${count}`, flow: undefined };
	}

	#restore(id: string, label: string, flow: string | undefined): void {
		const [, kind = '', number = '0'] = /^(.+) (\d+)$/.exec(label) ?? [];
		this.#counts.set(kind, Math.max(this.#counts.get(kind) ?? 0, Number(number)));
		this.#add(id, { label, flow: kind === severalFlows ? undefined : flow });
	}
}
