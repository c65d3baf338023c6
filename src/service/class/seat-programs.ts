import type { SandboxStore } from '#store/store.ts';
import { seatKey, type SeatProgramRecord } from '../sandbox/class-records.ts';
import type { Records } from '../sandbox/records.ts';

/** The programs that students show to their instructors, at most one for each seat. */
export class SeatPrograms {
	readonly #store: SandboxStore<Records>;

	/** @param store of the root sandbox */
	constructor(store: SandboxStore<Records>) {
		this.#store = store;
	}

	/** The program that the student of a seat shows. Undefined: none. */
	find(code: string, number: number): Promise<SeatProgramRecord | undefined> {
		return this.#store.get('seat_program', seatKey(code, number));
	}

	/** Shows a program in place of the one before. `null`: shows none. */
	async show(code: string, number: number, program: SeatProgramRecord | null): Promise<void> {
		if (program === null) await this.#store.delete('seat_program', seatKey(code, number));
		else await this.#store.update('seat_program', seatKey(code, number), () => program);
	}
}
