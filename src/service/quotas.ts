/** How much clients may use at once. */
export type Quotas = {
	/** Sandboxes that one address may have created. Callers with access to the root sandbox may create more. */
	readonly sandboxesPerAddress: number;
	/** Event streams of the root sandbox. */
	readonly rootStreams: number;
	/** Event streams of each other sandbox. */
	readonly streamsPerSandbox: number;
	/** Event streams of one address, in all sandboxes but the root. A class behind one router has one address. */
	readonly streamsPerAddress: number;
	/** Event streams of all sandboxes but the root. */
	readonly streams: number;
};

const defaults: Quotas = {
	sandboxesPerAddress: 60,
	rootStreams: 100,
	streamsPerSandbox: 10,
	streamsPerAddress: 100,
	streams: 400
};

/** The quotas of a service. */
export function quotasOf({ quotas }: { readonly quotas?: Partial<Quotas> }): Quotas {
	return { ...defaults, ...quotas };
}
