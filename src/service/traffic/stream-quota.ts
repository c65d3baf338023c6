/** One stream among those that all sandboxes share. */
export type Share = {
	/** The network address that reads it. */
	readonly address: string;
	/** What stands for its sandbox. */
	readonly sandbox: object;
	/** Ends it; the share is left by that. */
	readonly giveWay: () => void;
};

/**
 * The event streams of a whole service, divided fairly: a stranger with fifty sandboxes keeps nobody else out. Where all are
 * taken, the address that holds most gives up its oldest; among those of one address (a room behind one router), the
 * sandbox that holds most. Only who stays with fewer than the other may take one: so nobody's streams push each other
 * out in turns, however often they come back.
 */
export class StreamShares {
	readonly #open = new Set<Share>();
	readonly #most: number;

	/** @param most how many there are to share */
	constructor(most: number) {
		this.#most = most;
	}

	/**
	 * Takes a share for a newcomer.
	 * @returns false where all are taken and nobody has more than the newcomer would
	 */
	take(newcomer: Share): boolean {
		if (this.#open.size >= this.#most) this.#leaver(newcomer)?.giveWay();
		if (this.#open.size >= this.#most) return false;
		this.#open.add(newcomer);
		return true;
	}

	/** Gives a share back. */
	leave(share: Share): void {
		this.#open.delete(share);
	}

	/** The one that gives way; undefined where none has to. */
	#leaver({ address, sandbox }: Share): Share | undefined {
		const byAddress = groups(this.#open, (share) => share.address);
		const own = byAddress.get(address) ?? [];
		const other = fullest(byAddress, own.length + 1);
		if (other !== undefined) return fullest(groups(other, (share) => share.sandbox))?.[0];
		const bySandbox = groups(own, (share) => share.sandbox);
		return fullest(bySandbox, (bySandbox.get(sandbox)?.length ?? 0) + 1)?.[0];
	}
}

/** Shares by what they have in common, oldest first. */
function groups<Key>(shares: Iterable<Share>, of: (share: Share) => Key): Map<Key, Share[]> {
	const found = new Map<Key, Share[]>();
	for (const share of shares) {
		const group = found.get(of(share));
		if (group === undefined) found.set(of(share), [share]);
		else group.push(share);
	}
	return found;
}

/** The largest group with more than so many shares. */
function fullest<Key>(all: Map<Key, Share[]>, moreThan = 0): Share[] | undefined {
	let found: Share[] | undefined;
	for (const group of all.values()) if (group.length > (found?.length ?? moreThan)) found = group;
	return found;
}
