/** Who wants a place. */
export type Owner = {
	/** The user or client address that caused the work. */
	readonly sharer: string;
	/** The host that the work is about. */
	readonly host: string;
};

/** A place, for one task. */
export type Place = {
	/** Aborts when the place was given to an owner with fewer places. */
	readonly evicted: AbortSignal;
	/** Frees the place. Call it on every end of the task. */
	readonly leave: () => void;
};

type Limits = {
	readonly inAll: number;
	readonly forSharer: number;
	readonly forHost?: number;
	/** How many tasks wait at once. */
	readonly waiting: number;
	/** How long a task waits, in milliseconds. */
	readonly timeLimit: number;
	/** Whether a running task can be ended, to give its place to another sharer. */
	readonly evicts?: true;
};

type Running = Owner & { readonly evict: AbortController };
type Waiting = Owner & { readonly begin: (place: Place | undefined) => void };

/**
 * Places for tasks that wait for others, such as name servers. A sharer with many tasks cannot keep the others out: who holds and wants
 * the least is next, and who has the most loses a place if all are taken.
 */
export class FairPlaces {
	readonly #limits: Limits;
	readonly #running = new Set<Running>();
	readonly #waiting = new Set<Waiting>();

	constructor(limits: Limits) {
		this.#limits = limits;
	}

	/** Takes a place, when one is free. @returns `undefined` if none was within the time limit, or too many wait. */
	async enter(owner: Owner): Promise<Place | undefined> {
		if (this.#limits.evicts && this.#running.size >= this.#limits.inAll && this.#fits(owner)) this.#evict(owner.sharer);
		if (this.#isFree(owner)) return this.#begin(owner);
		if (this.#waiting.size >= this.#limits.waiting && !this.#rejectFor(owner.sharer)) return undefined;
		return new Promise((resolve) => {
			const timer = setTimeout(() => begin(undefined), this.#limits.timeLimit);
			const begin = (place: Place | undefined) => {
				clearTimeout(timer);
				this.#waiting.delete(waiting);
				resolve(place);
			};
			const waiting = { ...owner, begin };
			this.#waiting.add(waiting);
		});
	}

	#begin(owner: Owner): Place {
		const running = { ...owner, evict: new AbortController() };
		this.#running.add(running);
		const leave = () => {
			if (this.#running.delete(running)) this.#startNext();
		};
		return { evicted: running.evict.signal, leave };
	}

	/** Whether the owner is below its own limits. */
	#fits({ sharer, host }: Owner): boolean {
		const { forSharer, forHost = Infinity } = this.#limits;
		const running = [...this.#running];
		return (
			running.filter((one) => one.sharer === sharer).length < forSharer &&
			running.filter((one) => one.host === host).length < forHost
		);
	}

	#isFree(owner: Owner): boolean {
		return this.#running.size < this.#limits.inAll && this.#fits(owner);
	}

	#startNext(): void {
		const shareOf = ({ sharer }: Owner) => this.#sizeOf(sharer);
		const free = [...this.#waiting].filter((one) => this.#isFree(one));
		const [next] = free.sort((one, other) => shareOf(one) - shareOf(other));
		next?.begin(this.#begin(next));
	}

	/** Ends the oldest task of the sharer that holds the most, if that is at least two more than this one holds. */
	#evict(sharer: string): void {
		const held = (name: string) => [...this.#running].filter((one) => one.sharer === name).length;
		const [most] = [...this.#running].sort((one, other) => held(other.sharer) - held(one.sharer));
		if (most === undefined || held(most.sharer) < held(sharer) + 2) return;
		this.#running.delete(most);
		most.evict.abort();
	}

	/** Rejects the newest waiting task of the sharer that has the most, if that is more than this one has. @returns whether it did */
	#rejectFor(sharer: string): boolean {
		const [most] = [...this.#waiting]
			.reverse()
			.sort((one, other) => this.#sizeOf(other.sharer) - this.#sizeOf(one.sharer));
		if (most === undefined || this.#sizeOf(most.sharer) <= this.#sizeOf(sharer) + 1) return false;
		most.begin(undefined);
		return true;
	}

	#sizeOf(sharer: string): number {
		return [...this.#running, ...this.#waiting].filter((one) => one.sharer === sharer).length;
	}
}
