/** Thrown if a kind is full and no record of it may be evicted, or if a byte budget is used up. */
export class StoreFull extends Error {
	override name = 'StoreFull';
}
