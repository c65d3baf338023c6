/** Thrown if a store cannot be reached, or refuses a change. Its message is for clients, and its host reports the cause. */
export class StoreUnavailable extends Error {
	override name = 'StoreUnavailable';
}
