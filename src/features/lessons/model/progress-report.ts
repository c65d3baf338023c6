import type { SeatProgress, SeatStatus } from '#api/control/seats.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { ControlError } from '#client/control-api/control-error.ts';
import type { LessonSession } from './lesson-session.svelte.ts';

/** How long to wait after a failure, in milliseconds. */
const retryDelay = 5_000;
/** How many exchanges are sent as evidence of a condition. */
const maxEvidence = 10;

type Reported = Pick<LessonSession, 'id' | 'lesson' | 'result' | 'isDone' | 'isRevealed' | 'recorded' | 'reason'>;

/** What the board of a class learns of a lesson: its steps, and the ids of the exchanges that show each of them. Reactive. */
export function progressOf({ id, lesson, result, isDone, isRevealed, recorded, reason }: Reported): SeatProgress {
	const { steps } = lesson.stage;
	const evidence = steps.map(({ condition }) => result.shown[condition] ?? (isDone ? [] : undefined));
	const open = evidence.indexOf(undefined);
	const { prediction } = recorded;
	return {
		lesson: id,
		step: open < 0 ? steps.length : open,
		shown: Object.fromEntries(
			evidence.flatMap((ids, place) => (ids === undefined ? [] : [[String(place), ids.slice(0, maxEvidence)]]))
		),
		of: steps.length,
		is_done: isDone,
		revealed: isRevealed,
		...(reason?.isNearMiss !== true ? {} : { miss: missId(reason.text) }),
		...(prediction === undefined || prediction === 'declined' ? {} : { prediction: String(prediction) })
	};
}

/** A near miss as the board gets it: `a JSON body` is `a_JSON_body`. */
export function missId(words: string): string {
	return words
		.replaceAll(/[^a-z\d]+/gi, ' ')
		.trim()
		.replaceAll(' ', '_')
		.slice(0, 60);
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
