import type { SeatChange, SeatStatus } from '#api/control/seats.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { storedText, storeText } from '#client/storage/web-storage.ts';

/** How often an open page says that it is open, in milliseconds. */
const presenceInterval = 20_000;
/** How long the instructor counts as reading the log after the last request, in milliseconds. */
export const watchedFor = 60_000;

export type SeatId = Pick<SeatStatus, 'code' | 'seat'>;

/** Sends the changes of a seat. */
export function changeSeat(root: ControlApi, { code, seat }: SeatId, change: SeatChange) {
	return root.request('PATCH /control/classes/{code}/seats/{seat}', {
		path: { code, seat: String(seat) },
		body: change
	});
}

/**
 * Says at intervals that a page of the seat is open, also behind an editor that hides it.
 * @param send never rejects
 * @returns stops
 */
export function keepPresent(send: () => void): () => void {
	send();
	const timer = setInterval(send, presenceInterval);
	return () => clearInterval(timer);
}

/** The notices of a seat that were closed in this browser. */
export class ClosedNotices {
	#ids: readonly string[] = $state.raw([]);
	readonly #key: string;

	/** @param home `AppLocation.home` of the seat */
	constructor(home: string) {
		this.#key = `tollgate-closed-notices ${home}`;
		this.#ids = storedText(this.#key).split(' ');
	}

	has(id: string): boolean {
		return this.#ids.includes(id);
	}

	close(id: string): void {
		this.#ids = [...this.#ids.slice(-50), id];
		storeText(this.#key, this.#ids.join(' '));
	}
}
