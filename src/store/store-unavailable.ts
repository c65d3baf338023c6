/** Thrown if a store outside of this process cannot be reached, or refuses a command. */
export class StoreUnavailable extends Error {
	override name = 'StoreUnavailable';
}
