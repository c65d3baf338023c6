import type { SandboxStore } from '#store/store.ts';
import { seatKey, type SeatId, type SeatTraffic } from '../sandbox/class-records.ts';
import type { Records } from '../sandbox/records.ts';
import { mergeSpans, type Spans } from './work-time.ts';

/** What is not stored yet of a seat. */
type Counted = { readonly traffic: SeatTraffic; readonly spans: Spans };

/** Counts the exchanges of seats. The counts are stored from time to time, and whenever they are read. */
export class SeatCounts {
	readonly #store: SandboxStore<Records>;
	readonly #now: () => number;
	/** What is not stored yet, by the keys of the seats. */
	readonly #counted = new Map<string, Counted>();

	/**
	 * @param store of the root sandbox
	 * @param now real clock, in milliseconds
	 */
	constructor(store: SandboxStore<Records>, now: () => number) {
		this.#store = store;
		this.#now = now;
	}

	/** Counts an exchange of a seat. */
	add({ code, number }: SeatId, isFailed: boolean): void {
		const last = this.#now();
		this.#add(seatKey(code, number), {
			traffic: { requests: 1, failed: isFailed ? 1 : 0, last },
			spans: [[last, last]]
		});
	}

	/**
	 * Stores what was counted.
	 * @throws StoreUnavailable where the store accepts no changes now; nothing is lost
	 */
	async save(): Promise<void> {
		for (const [key, counted] of [...this.#counted]) {
			this.#counted.delete(key);
			try {
				await this.#store.update(
					'seat',
					key,
					(seat) =>
						seat && {
							...seat,
							traffic: sumOf(seat.traffic, counted.traffic),
							spans: mergeSpans(seat.spans ?? [], counted.spans)
						}
				);
			} catch (fault) {
				this.#add(key, counted);
				throw fault;
			}
		}
	}

	#add(key: string, counted: Counted): void {
		const known = this.#counted.get(key);
		this.#counted.set(key, {
			traffic: sumOf(known?.traffic, counted.traffic),
			spans: mergeSpans(known?.spans ?? [], counted.spans)
		});
	}
}

function sumOf(one: SeatTraffic | undefined, other: SeatTraffic): SeatTraffic {
	if (one === undefined) return other;
	return {
		requests: one.requests + other.requests,
		failed: one.failed + other.failed,
		last: Math.max(one.last, other.last)
	};
}
