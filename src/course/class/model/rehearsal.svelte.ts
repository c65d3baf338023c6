import { ControlApi } from '#client/control-api/control-api.ts';
import { stepsOf } from '../../list/course.ts';
import { ScriptedClient } from '../../lessons/scripted-client.ts';
import { students } from './simulated-students.ts';

/** How many simulated students join at the same time. */
const parallel = 3;

/** Fills a class with simulated students. They join and send requests over HTTP, as real ones do. */
export class Rehearsal {
	/** The most students of a rehearsal. */
	static readonly most = 20;
	/** How many have joined so far. */
	joined = $state(0);
	readonly #rootUrl: string;
	readonly #code: string;

	/** @param rootUrl base URL of the root sandbox */
	constructor(rootUrl: string, code: string) {
		this.#rootUrl = rootUrl;
		this.#code = code;
	}

	/**
	 * Lets students join, three at a time.
	 * @param count at most 20
	 * @throws ControlError if one cannot join
	 */
	async run(count: number): Promise<void> {
		this.joined = 0;
		const numbers = Array.from({ length: count }, (_, number) => number);
		const work = async () => {
			for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) await this.#join(number);
		};
		await Promise.all(Array.from({ length: parallel }, work));
	}

	/** Without cookies: they would replace those of the instructor. */
	async #join(number: number): Promise<void> {
		const send = (url: string, init: RequestInit) => fetch(url, { ...init, credentials: 'omit' });
		const path = { code: this.#code };
		const root = new ControlApi(this.#rootUrl, send);
		const { seat, base_url, key } = await root.request('POST /control/classes/{code}/seats', { path });
		this.joined++;
		const student = students[number % students.length];
		if (student === undefined) return;
		const withKey = (url: string, init: RequestInit) => {
			const headers = new Headers(init.headers);
			headers.set('x-tollgate-key', key);
			return send(url, { ...init, headers });
		};
		const change = (body: object) =>
			root.request('PATCH /control/classes/{code}/seats/{seat}', { path: { ...path, seat: String(seat) }, body, key });
		const client = new ScriptedClient(new ControlApi(base_url, withKey), () => undefined, send);
		const { lesson, is_done } = student.progress;
		const { length: of } = await stepsOf(lesson);
		const step = is_done ? of : Math.min(student.progress.step, of - 1);
		const shown = Object.fromEntries(Array.from({ length: step }, (_, place) => [String(place), []]));
		await change({ progress: { revealed: false, ...student.progress, step, of, shown } });
		await student.run(client);
		if (student.hand === true) await change({ hand: true });
	}
}
