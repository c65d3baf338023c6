import type { SeatProgress, SeatStatus } from '#api/control/seats.ts';
import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';

/** How long to wait after a failure, in milliseconds. */
const retryDelay = 5_000;
/** A near miss as the board gets it: `a JSON body` is `a_JSON_body`. */
export function missId(words: string): string {
	return words
		.replaceAll(/[^a-z\d]+/gi, ' ')
		.trim()
		.replaceAll(' ', '_')
		.slice(0, 60);
}

/**
 * The progress of a seat as its class gets it.
 * @param isShown of each part, in order
 * @param state `at`: the part where it is, where that is not the first open one. `miss`: a near miss, in words
 */
export function seatProgress(
	lesson: string,
	isShown: readonly boolean[],
	state: {
		readonly isDone: boolean;
		readonly revealed?: boolean;
		readonly at?: number;
		readonly miss?: string | undefined;
	}
): SeatProgress {
	const { isDone, revealed, miss, at = [...isShown, false].indexOf(false) } = state;
	return {
		lesson,
		step: at,
		shown: Object.fromEntries(isShown.flatMap((is, part) => (is ? [[String(part), []]] : []))),
		of: isShown.length,
		is_done: isDone,
		...(revealed !== undefined && { revealed }),
		...(miss !== undefined && { miss: missId(miss) })
	};
}

/** Sends the progress of a seat, the latest one last. */
export class ProgressReport {
	readonly #root: ControlApi;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#latest = Promise.resolve();
	#sent = '';

	/** @param root control API of the root sandbox */
	constructor(root: ControlApi) {
		this.#root = root;
	}

	/** Sends the progress, unless it is the one that was sent last. Tries again after a failure. */
	send(seat: Pick<SeatStatus, 'code' | 'seat'>, progress: SeatProgress): void {
		const text = JSON.stringify(progress);
		if (text === this.#sent) return;
		this.stop();
		this.#sent = text;
		this.#latest = this.#latest.then(() => this.#request(seat, progress));
	}

	/** Sends nothing again. */
	stop(): void {
		clearTimeout(this.#timer);
	}

	async #request({ code, seat }: Pick<SeatStatus, 'code' | 'seat'>, progress: SeatProgress): Promise<void> {
		try {
			await this.#root.request('PATCH /control/classes/{code}/seats/{seat}', {
				path: { code, seat: String(seat) },
				body: { progress }
			});
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			// Other errors are final: the class has ended, or the seat was given to another student.
			if (thrown.code !== 'no_response' && thrown.status !== 429) return;
			this.#sent = '';
			this.#timer = setTimeout(() => this.send({ code, seat }, progress), retryDelay);
		}
	}
}
