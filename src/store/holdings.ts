/** The records of one kind by owner, each owner's oldest first. Finds the owner that holds the most without a search. */
export class Holdings {
	readonly #owners = new Map<string, { weight: number; readonly ids: Set<string> }>();
	readonly #byWeight = new Map<number, Set<string>>();
	#most = 0;
	#weight = 0;

	/** What all owners hold. */
	get weight(): number {
		return this.#weight;
	}

	/** What an owner holds. */
	weightOf(owner: string): number {
		return this.#owners.get(owner)?.weight ?? 0;
	}

	/** The owner that holds the most; undefined if nothing is held. */
	largest(): string | undefined {
		while (this.#most > 0 && !this.#byWeight.has(this.#most)) this.#most--;
		return this.#byWeight.get(this.#most)?.values().next().value;
	}

	/** The oldest record of an owner, or one of another owner if it holds no other than `except`. */
	oldest(owner: string, except?: string): string | undefined {
		return firstOf(this.#owners.get(owner)?.ids, except) ?? this.#any(except);
	}

	/** Adds a record, as the youngest of its owner. */
	add(owner: string, id: string, weight: number): void {
		const held = this.#owners.get(owner) ?? { weight: 0, ids: new Set() };
		this.#owners.set(owner, held);
		held.ids.add(id);
		this.#change(owner, held, weight);
	}

	/** Removes a record, with the weight that it was added with. */
	remove(owner: string, id: string, weight: number): void {
		const held = this.#owners.get(owner);
		if (held?.ids.delete(id) !== true) return;
		this.#change(owner, held, -weight);
		if (held.ids.size === 0) this.#owners.delete(owner);
	}

	/** Changes the weight of what an owner holds. */
	resize(owner: string, by: number): void {
		const held = this.#owners.get(owner);
		if (held !== undefined) this.#change(owner, held, by);
	}

	#change(owner: string, held: { weight: number }, by: number): void {
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

	#any(except?: string): string | undefined {
		for (const { ids } of this.#owners.values()) {
			const found = firstOf(ids, except);
			if (found !== undefined) return found;
		}
		return undefined;
	}
}

function firstOf(ids: Iterable<string> | undefined, except: string | undefined): string | undefined {
	for (const id of ids ?? []) if (id !== except) return id;
	return undefined;
}
