import type { SeatChange, SeatStatus } from '#api/control/seats.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { storedText, storeText } from '#client/storage/web-storage.ts';

/** How often a page that is used says so, in milliseconds. */
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

/** What shows that a page is used, and not only open. */
const signsOfWork = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/**
 * Says that a page of the seat was opened, and then at intervals whether it was used since. A page that is only open is no work.
 * @param send gets whether the page was used. Never rejects
 * @returns stops
 */
export function keepPresent(send: (isUsed: boolean) => void, target: EventTarget = globalThis): () => void {
	send(true);
	let isUsed = false;
	const use = () => (isUsed = true);
	for (const sign of signsOfWork) target.addEventListener(sign, use, { capture: true, passive: true });
	const timer = setInterval(() => {
		send(isUsed);
		isUsed = false;
	}, presenceInterval);
	return () => {
		clearInterval(timer);
		for (const sign of signsOfWork) target.removeEventListener(sign, use, { capture: true });
	};
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
