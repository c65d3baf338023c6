import { Holdings } from '#store/holdings.ts';

/** What a message takes of the places of its sandbox. */
export type Place = {
	/** The network address that sent it. */
	readonly owner: string;
	readonly bytes: number;
};

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
