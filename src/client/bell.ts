/** Tells other tabs that something changed. */
export interface Bell {
	ring(): void;
	/** Listens to the other tabs. Returns what ends it. */
	listen(heard: () => void): () => void;
}
