import { isRecord } from './copy-strings.ts';
import { StoreFull } from './errors.ts';

/** Limits the memory of records. Budgets nest: a sandbox is part of the budget of its creator, and that of the server. */
export class ByteBudget {
	#used = 0;
	#isClosed = false;

	/**
	 * @param max in bytes
	 * @param parent the budget that this one is part of
	 * @param reserved how many bytes do not count against `parent`, so that they are free even if `parent` is used up
	 */
	constructor(
		readonly max: number,
		readonly parent?: ByteBudget,
		readonly reserved = 0
	) {}

	/** The bytes in use. */
	get used(): number {
		return this.#used;
	}

	/**
	 * Counts bytes, or releases them if the number is negative.
	 * @throws StoreFull if this budget or its parent does not have as many; nothing is counted then
	 */
	add(bytes: number): void {
		if (this.#isClosed) return;
		const used = this.#used + bytes;
		if (bytes > 0 && used > this.max) throw memoryFull();
		this.parent?.add(Math.max(0, used - this.reserved) - Math.max(0, this.#used - this.reserved));
		this.#used = used;
	}

	/** How many bytes must be released before so many can be added. */
	lacking(bytes: number): number {
		if (this.#isClosed) return 0;
		const used = this.#used + bytes;
		const ofParent = Math.max(0, used - this.reserved) - Math.max(0, this.#used - this.reserved);
		const parentLacks = this.parent === undefined ? 0 : Math.min(this.parent.lacking(ofParent), used - this.reserved);
		return Math.max(0, used - this.max, parentLacks);
	}

	/** Releases all bytes. Nothing is counted afterwards. */
	close(): void {
		this.add(-this.#used);
		this.#isClosed = true;
	}
}

/** The error for a budget that is used up. */
export function memoryFull(): StoreFull {
	return new StoreFull(
		'The memory of the sandbox, of its creator or of the server is used up. Delete something that you no longer need.'
	);
}

/** Roughly the memory of a record with its id, in bytes. V8 stores a character in one byte or two. */
export function bytesOf(id: string, record: unknown): number {
	return 100 + id.length * 2 + sizeOf(record);
}

function sizeOf(value: unknown): number {
	if (typeof value === 'string') return 24 + value.length * 2;
	if (!isRecord(value)) return 8;
	let size = 40;
	if (Array.isArray(value)) for (const part of value) size += 8 + sizeOf(part);
	else for (const name in value) size += 8 + sizeOf(value[name]);
	return size;
}
