/** Thrown if a kind is full and no record of it may be evicted, or if a byte budget is used up. */
export class StoreFull extends Error {
	override name = 'StoreFull';
}

/** Thrown if a store cannot be reached, or rejects a change, or if what the host keeps apart cannot be loaded. Its message is for clients, and its host reports the cause. */
export class StoreUnavailable extends Error {
	override name = 'StoreUnavailable';
}
