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
	/** Memory of the records of the root sandbox, in bytes. */
	readonly rootBytes: number;
	/** Memory of the records of each other sandbox, in bytes. */
	readonly bytesPerSandbox: number;
	/** Memory of the records of all sandboxes that one address has created, in bytes. Like `bytes`, without what each may always use. */
	readonly bytesPerAddress: number;
	/** Memory of the records of all sandboxes but the root, in bytes. */
	readonly bytes: number;
};

const mebibyte = 1024 * 1024;
/** What each sandbox may use even if the server or its creator has used up the rest, in bytes. */
export const reservedBytes = 128 * 1024;

const defaults: Quotas = {
	sandboxesPerAddress: 60,
	rootStreams: 100,
	streamsPerSandbox: 10,
	streamsPerAddress: 100,
	streams: 400,
	rootBytes: 256 * mebibyte,
	bytesPerSandbox: 4 * mebibyte,
	bytesPerAddress: 16 * mebibyte,
	bytes: 64 * mebibyte
};

/** The quotas of a service. */
export function quotasOf({ quotas }: { readonly quotas?: Partial<Quotas> }): Quotas {
	return { ...defaults, ...quotas };
}
