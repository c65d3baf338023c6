/** What one owner holds. Its records are ordered by age. */
type Held = { weight: number; readonly free: Set<string>; readonly protected: Set<string> };

/** How many owners are asked for a record that is not protected, once none holds more than one. */
const maxAsked = 1000;

/** The records of one kind by owner. Finds the owner that holds the most without a search. */
export class Holdings {
	readonly #owners = new Map<string, Held>();
	readonly #byWeight = new Map<number, Set<string>>();
	#most = 0;
	#weight = 0;

	/** What all owners hold. */
	get weight(): number {
		return this.#weight;
	}

	weightOf(owner: string): number {
		return this.#owners.get(owner)?.weight ?? 0;
	}

	/** The oldest record of an owner. Protected ones come last. */
	oldest(owner: string, except?: string): string | undefined {
		const held = this.#owners.get(owner);
		return held && (firstOf(held.free, except) ?? firstOf(held.protected, except));
	}

	/**
	 * The record to evict: the oldest of the owner that holds the most, or of the one that adds a record if it holds as much. Where
	 * no owner holds more than one, a record that is not protected.
	 * @param adding the owner that adds a record
	 * @param except the record that changes
	 */
	victim(adding?: string, except?: string): string | undefined {
		const largest = this.#largest();
		if (largest === undefined) return undefined;
		const most = this.weightOf(largest);
		const isOwn = adding !== undefined && this.weightOf(adding) >= most;
		if (!isOwn && most < 2) return this.#anyFree(except);
		return this.oldest(isOwn ? adding : largest, except) ?? this.#anyFree(except);
	}

	/** The records of an owner that are not protected, oldest first. */
	unprotected(owner: string): Iterable<string> {
		return this.#owners.get(owner)?.free ?? [];
	}

	/** Adds a record as the newest of its owner. */
	add(owner: string, id: string, weight: number, isProtected = false): void {
		const held = this.#owners.get(owner) ?? { weight: 0, free: new Set(), protected: new Set() };
		this.#owners.set(owner, held);
		(isProtected ? held.protected : held.free).add(id);
		this.#change(owner, held, weight);
	}

	/** Removes a record, with the weight that it was added with. */
	remove(owner: string, id: string, weight: number): void {
		const held = this.#owners.get(owner);
		if (held === undefined || !(held.free.delete(id) || held.protected.delete(id))) return;
		this.#change(owner, held, -weight);
		if (held.free.size + held.protected.size === 0) this.#owners.delete(owner);
	}

	/** Changes the weight of what an owner holds. */
	resize(owner: string, by: number): void {
		const held = this.#owners.get(owner);
		if (held !== undefined) this.#change(owner, held, by);
	}

	#largest(): string | undefined {
		while (this.#most > 0 && !this.#byWeight.has(this.#most)) this.#most--;
		return this.#byWeight.get(this.#most)?.values().next().value;
	}

	#anyFree(except: string | undefined): string | undefined {
		let asked = 0;
		for (const { free } of this.#owners.values()) {
			const found = firstOf(free, except);
			if (found !== undefined || ++asked === maxAsked) return found;
		}
		return undefined;
	}

	#change(owner: string, held: Held, by: number): void {
		const before = this.#byWeight.get(held.weight);
		before?.delete(owner);
		if (before?.size === 0) this.#byWeight.delete(held.weight);
		held.weight += by;
		this.#weight += by;
		if (held.weight <= 0) return;
		const after = this.#byWeight.get(held.weight);
		if (after === undefined) this.#byWeight.set(held.weight, new Set([owner]));
		else after.add(owner);
		this.#most = Math.max(this.#most, held.weight);
	}
}

function firstOf(ids: Iterable<string>, except: string | undefined): string | undefined {
	for (const id of ids) if (id !== except) return id;
	return undefined;
}
