import { maxHeld, maxHeldBytes, maxHeldBytesInAll, maxHeldOfOther, maxHeldOfScripts } from '#api/control/pause.ts';
import { Holdings } from '#store/holdings.ts';

/** What a message takes of the places of its sandbox. */
export type Place = {
	/** The network address that sent it. */
	readonly owner: string;
	readonly bytes: number;
	/** Whether the script of a page waits for the response, and keeps a connection of its browser. */
	readonly isOfScript: boolean;
};

/** What has a place in a sandbox, with its id, oldest first, and how it loses its place. */
type Places = {
	readonly kept: readonly (readonly [id: string, place: Place])[];
	readonly pass: (id: string) => void;
};

/**
 * Why a message cannot be held. Of an address that does not pause the sandbox a few are held. Where all places are taken, the other
 * address with the most loses its oldest.
 * @param pausing the address that pauses the sandbox. Its messages come first
 * @param hasRoom whether the server holds another message of a network address
 * @returns a sentence; undefined if there is a place
 */
export function findObstacle(
	adding: Place,
	pausing: string,
	places: Places,
	hasRoom: (address: string) => boolean
): string | undefined {
	const { owner, bytes } = adding;
	const isOwn = owner === pausing;
	const ofOwner = places.kept.flatMap(([, place]) => (place.owner === owner ? [place] : []));
	if (bytes > maxHeldBytes) return `It is longer than ${maxHeldBytes / 1024} KiB.`;
	if (adding.isOfScript && ofOwner.filter(({ isOfScript }) => isOfScript).length >= maxHeldOfScripts)
		return `Scripts already wait for ${maxHeldOfScripts} responses. A browser opens six connections to a server, and its pages need the others.`;
	if (!isOwn && ofOwner.length >= maxHeldOfOther) return `${maxHeldOfOther} messages of this address are held already.`;
	const isFull = () => {
		const { kept } = places;
		return kept.length >= maxHeld || kept.reduce((sum, [, one]) => sum + one.bytes, bytes) > maxHeldBytesInAll;
	};
	if (!isFull()) return hasRoom(owner) ? undefined : 'This server holds no more messages of this address.';
	while (isFull()) {
		const others = places.kept.filter(([, place]) => place.owner !== pausing);
		const victim = findVictim(others, isOwn ? undefined : owner);
		if (victim === undefined)
			return `A sandbox holds ${maxHeld} messages, and ${maxHeldBytesInAll / 1024} KiB of them. Release one first.`;
		places.pass(victim);
	}
	return undefined;
}

/**
 * Finds what loses its place to something new, because all places are taken: the oldest of the owner that has the most.
 * @param taken what has a place, with its id, oldest first
 * @param adding the owner of what is new. It loses its own oldest if it has as many, and others keep their last one. Undefined: it
 * comes before all that have a place
 * @returns its id; undefined if there is none
 */
export function findVictim(
	taken: readonly (readonly [id: string, place: Pick<Place, 'owner'>])[],
	adding: string | undefined
): string | undefined {
	const holdings = new Holdings();
	for (const [id, { owner }] of taken) holdings.add(owner, id, 1, adding !== undefined);
	return holdings.victim(adding);
}
