import { countText } from '#lib/count-text.ts';
import type { BoardRow } from '#api/control/board.ts';
import type { SeatChange, SeatProgram } from '#api/control/seats.ts';
import type { ClassChange } from '#api/control/classes.ts';
import { spokenDuration } from '#lib/time-text.ts';
import { ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { toasts } from '#features/shell/toasts.svelte.ts';
import type { Board } from './board.svelte.ts';

/** How many seats are changed at the same time. */
const parallel = 6;
/** How long a reset can be undone, in milliseconds. */
export const undoable = 10 * 60_000;

/** The state of a seat before a reset. */
type Kept = { readonly at: number; readonly snapshot: unknown };

const apiOf = ({ base_url }: BoardRow) => new ControlApi(base_url);

/** What an instructor does to seats: to one, or to all in a loop. All methods throw `ControlError`. */
export class BoardActions {
	readonly #board: Board;
	readonly #now: () => number;
	#kept: ReadonlyMap<number, Kept> = $state.raw(new Map());

	/** @param now in milliseconds */
	constructor(board: Board, now: () => number = Date.now) {
		this.#board = board;
		this.#now = now;
	}

	/** Whether the last reset of a seat can still be undone. */
	canUndo(seat: number): boolean {
		const kept = this.#kept.get(seat);
		return kept !== undefined && this.#now() - kept.at < undoable;
	}

	/** Resets a seat. Its applications and its log stay. */
	async reset(row: BoardRow): Promise<void> {
		const snapshot = await apiOf(row).request('GET /control/snapshot');
		await apiOf(row).request('POST /control/reset', { body: { keep: ['applications', 'traffic'] } });
		this.#kept = new Map(this.#kept).set(row.seat, { at: this.#now(), snapshot });
		toasts.show({
			tone: 'ok',
			title: `${row.label} was reset`,
			detail: 'Tokens, limits and settings are those of the start. The log stays.',
			action: { label: 'Undo', run: () => void this.undo(row).catch((thrown: unknown) => showUnrestored(row, thrown)) }
		});
	}

	/** Restores what a seat had before its last reset. */
	async undo(row: BoardRow): Promise<void> {
		const kept = this.#kept.get(row.seat);
		if (kept === undefined) return;
		await apiOf(row).request('PUT /control/snapshot', { body: kept.snapshot });
		const left = new Map(this.#kept);
		left.delete(row.seat);
		this.#kept = left;
		toasts.show({ tone: 'ok', title: `The reset of ${row.label} was undone` });
	}

	/** Removes all addresses of a seat from its blacklist. */
	async unblock(row: BoardRow): Promise<void> {
		const { blacklist } = await apiOf(row).request('GET /control/blacklist');
		for (const { address } of blacklist)
			await apiOf(row).request('DELETE /control/blacklist/{+address}', { path: { address } });
		toasts.show({ tone: 'ok', title: `${row.label} is not blacklisted` });
	}

	async endFaults(row: BoardRow): Promise<void> {
		await apiOf(row).request('DELETE /control/faults');
		toasts.show({ tone: 'ok', title: `The faults of ${row.label} ended` });
	}

	async lowerHand({ seat }: BoardRow): Promise<void> {
		await this.#seat(seat, { hand: false });
	}

	/** A new key for a seat. The old ones stop working. @returns the link that opens it */
	async release({ seat }: BoardRow): Promise<string> {
		return (await this.#seat(seat, { released: true })).link ?? '';
	}

	/** Changes the group, the note or the mark of a seat. */
	async remark({ seat }: BoardRow, change: Pick<SeatChange, 'group' | 'note' | 'helped'>): Promise<void> {
		await this.#seat(seat, change);
	}

	/** A link to the board for co-instructors. The one before stops working. */
	async readerLink(): Promise<string> {
		const path = { code: this.#board.code };
		return (await this.#board.root.request('POST /control/classes/{code}/readers', { path })).board_url;
	}

	/** Deletes a seat with its sandbox. */
	async remove({ seat, label }: BoardRow): Promise<void> {
		const path = { code: this.#board.code, seat: String(seat) };
		await this.#board.root.request('DELETE /control/classes/{code}/seats/{seat}', { path });
		toasts.show({ tone: 'ok', title: `The seat of ${label} was removed` });
	}

	/** The program that a student shows. */
	program({ seat }: BoardRow): Promise<SeatProgram> {
		const path = { code: this.#board.code, seat: String(seat) };
		return this.#board.root.request('GET /control/classes/{code}/seats/{seat}/program', { path });
	}

	/** @param seats their numbers. Absent: all */
	async notice(text: string, link?: string, seats?: readonly number[]): Promise<void> {
		await this.#board.root.request('POST /control/classes/{code}/notices', {
			path: { code: this.#board.code },
			body: {
				text,
				...(link === undefined || link === '' ? {} : { link }),
				...(seats === undefined ? {} : { seats: [...seats] })
			}
		});
		toasts.show({
			tone: 'ok',
			title: 'Notice sent',
			detail: seats === undefined ? 'To all seats.' : `To ${countText(seats.length, 'seat')}.`
		});
	}

	/** Changes the class: lock, pause, timer, groups, fleet, end time. */
	async change(change: ClassChange): Promise<void> {
		const { code } = this.#board;
		this.#board.view = await this.#board.root.request('PATCH /control/classes/{code}', {
			path: { code },
			body: change
		});
	}

	/** Starts a wave of the fleet. @param number the next one, from 1 */
	async startWave(number: number): Promise<void> {
		const path = { code: this.#board.code };
		this.#board.view = await this.#board.root.request('POST /control/classes/{code}/waves', { path, body: { number } });
	}

	endTokens(): Promise<void> {
		return this.#forAll('All access tokens ended', async (api) => {
			const { grants } = await api.request('GET /control/credentials');
			for (const { id } of grants.flatMap(({ access_tokens }) => access_tokens))
				await api.request('DELETE /control/credentials/{kind}/{id}', { path: { kind: 'access_tokens', id } });
		});
	}

	/** @param limit requests in a window */
	setLimit(limit: number): Promise<void> {
		return this.#forAll(`The limit is ${limit} requests`, (api) =>
			api.request('PATCH /control/settings', { body: { limits: { character: limit } } })
		);
	}

	/** Moves the clocks of all seats. @param seconds */
	advance(seconds: number): Promise<void> {
		return this.#forAll(`The clocks moved by ${spokenDuration(seconds * 1000)}`, (api) =>
			api.request('POST /control/clock', { body: { advance: seconds } })
		);
	}

	async endClass(): Promise<void> {
		await this.#board.root.request('DELETE /control/classes/{code}', { path: { code: this.#board.code } });
		this.#board.end();
	}

	#seat(seat: number, body: SeatChange) {
		const path = { code: this.#board.code, seat: String(seat) };
		return this.#board.root.request('PATCH /control/classes/{code}/seats/{seat}', { path, body });
	}

	/** Some seats at a time. One that fails does not stop the others. */
	async #forAll(title: string, change: (api: ControlApi) => Promise<unknown>): Promise<void> {
		const rows = [...this.#board.rows];
		let failed = 0;
		let error: ControlError | undefined;
		const work = async () => {
			for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
				try {
					await change(apiOf(row));
				} catch (thrown) {
					if (!(thrown instanceof ControlError)) throw thrown;
					failed++;
					error = thrown;
				}
			}
		};
		const count = rows.length;
		await Promise.all(Array.from({ length: parallel }, work));
		if (error !== undefined && failed === count) throw error;
		const detail = failed === 0 ? `In ${countText(count, 'seat')}.` : `${countText(failed, 'seat')} did not respond.`;
		toasts.show({ tone: failed === 0 ? 'ok' : 'caution', title, detail });
	}
}

function showUnrestored({ label }: BoardRow, thrown: unknown): void {
	if (!(thrown instanceof ControlError)) throw thrown;
	toasts.show({ tone: 'error', title: `${label} was not restored`, detail: thrown.message });
}
