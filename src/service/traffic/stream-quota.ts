/** One stream among those that all sandboxes share. */
export type StreamSlot = {
	/** The network address that reads it. */
	readonly address: string;
	/** What stands for its sandbox. */
	readonly sandbox: object;
	/** Ends it; the share is left by that. */
	readonly evict: () => void;
};

/**
 * The event streams of a whole service, divided fairly: a stranger with fifty sandboxes keeps nobody else out. Where all are
 * taken, the address that holds most gives up its oldest; among those of one address (a room behind one router), the
 * sandbox that holds most. Only who stays with fewer than the other may take one: so nobody's streams push each other
 * out in turns, however often they come back.
 */
export class StreamQuota {
	readonly #open = new Set<StreamSlot>();
	readonly #most: number;

	/** @param most how many there are to share */
	constructor(most: number) {
		this.#most = most;
	}

	/**
	 * Takes a share for a newcomer.
	 * @returns false where all are taken and nobody has more than the newcomer would
	 */
	take(newcomer: StreamSlot): boolean {
		if (this.#open.size >= this.#most) this.#findEvictable(newcomer)?.evict();
		if (this.#open.size >= this.#most) return false;
		this.#open.add(newcomer);
		return true;
	}

	/** Gives a share back. */
	release(share: StreamSlot): void {
		this.#open.delete(share);
	}

	/** The one that gives way; undefined where none has to. */
	#findEvictable({ address, sandbox }: StreamSlot): StreamSlot | undefined {
		const byAddress = groupBy(this.#open, (share) => share.address);
		const own = byAddress.get(address) ?? [];
		const other = largestGroup(byAddress, own.length + 1);
		if (other !== undefined) return largestGroup(groupBy(other, (share) => share.sandbox))?.[0];
		const bySandbox = groupBy(own, (share) => share.sandbox);
		return largestGroup(bySandbox, (bySandbox.get(sandbox)?.length ?? 0) + 1)?.[0];
	}
}

/** Shares by what they have in common, oldest first. */
function groupBy<Key>(shares: Iterable<StreamSlot>, of: (share: StreamSlot) => Key): Map<Key, StreamSlot[]> {
	const found = new Map<Key, StreamSlot[]>();
	for (const share of shares) {
		const group = found.get(of(share));
		if (group === undefined) found.set(of(share), [share]);
		else group.push(share);
	}
	return found;
}

/** The largest group with more than so many shares. */
function largestGroup<Key>(all: Map<Key, StreamSlot[]>, moreThan = 0): StreamSlot[] | undefined {
	let found: StreamSlot[] | undefined;
	for (const group of all.values()) if (group.length > (found?.length ?? moreThan)) found = group;
	return found;
}
