import { type TrafficEntry, trafficEntry } from '#api/control/traffic.ts';
import { ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { storeText } from '#client/storage/web-storage.ts';
import { lessonsDoneKey } from '#features/shell/lessons-done.ts';
import { allLessons } from '../all-lessons.ts';
import type { Lesson } from '../lesson.ts';
import { type LessonStorage, openLessonStorage } from '../../frame/storage.ts';
import { lessonIn, noProgress, parseProgress, withLesson, type Progress } from './progress.ts';
import { newRun, parseRun, type LessonRun } from './run.ts';

const progressKey = 'progress';
const runKey = (lesson: string) => `run ${lesson}`;
const entriesKey = (lesson: string) => `entries ${lesson}`;

/** How many exchanges of a run are kept. */
const mostKept = 2000;
/** The longest name of a sandbox. */
const maxName = 60;

/** What of a run changes. */
export type RunChange = (run: LessonRun) => Partial<LessonRun>;

/** The progress and the runs of this browser. */
export class LessonStore {
	/** Reactive. */
	progress: Progress = $state.raw(noProgress);
	readonly #storage: LessonStorage;
	readonly #now: () => number;

	/**
	 * @param isPersistent false: everything is lost with the page
	 * @param now in milliseconds since 1970
	 */
	constructor(
		storage: LessonStorage,
		readonly isPersistent: boolean,
		now: () => number = Date.now
	) {
		this.#storage = storage;
		this.#now = now;
	}

	/** Follows the changes of all tabs. Returns a function that ends it. */
	follow(): () => void {
		return this.#storage.subscribe(() => void this.load());
	}

	/** Reads the progress. */
	async load(): Promise<void> {
		this.progress = parseProgress(await this.#storage.get(progressKey));
		const done = allLessons.filter(({ id }) => lessonIn(this.progress, id).done !== undefined).length;
		if (this.isPersistent) storeText(lessonsDoneKey, done === 0 ? '' : `${done}/${allLessons.length}`);
	}

	/** Changes the progress in one atomic step. */
	async change(change: (progress: Progress, now: number) => Progress): Promise<void> {
		await this.#storage.update(progressKey, (found) => change(parseProgress(found), this.#now()));
		await this.load();
	}

	/** The run of a lesson, or undefined if there is none. */
	async run(lesson: string): Promise<LessonRun | undefined> {
		return parseRun(await this.#storage.get(runKey(lesson)));
	}

	/** Calls back with the run of a lesson after each change in any tab. Returns a function that ends it. */
	followRun(lesson: string, onchange: (run: LessonRun) => void): () => void {
		return this.#storage.subscribe(() => void this.run(lesson).then((run) => run && onchange(run)));
	}

	/** Changes a run in one atomic step, unless another tab has started another one. */
	async changeRun(lesson: string, { sandbox, after }: LessonRun, change: RunChange): Promise<void> {
		await this.#storage.update(runKey(lesson), (found) => {
			const run = parseRun(found);
			return run?.sandbox === sandbox && run.after === after ? { ...run, ...change(run) } : found;
		});
	}

	/**
	 * Creates the sandbox of a lesson, and keeps its start state.
	 * @param root control API of the root sandbox
	 * @param isRemade whether the sandbox of the run before is gone
	 * @throws ControlError
	 */
	async start(
		root: ControlApi,
		lesson: string,
		title: string,
		{ start }: Pick<Lesson, 'start'>,
		isRemade = false
	): Promise<LessonRun> {
		const name = `Lesson: ${title}`.slice(0, maxName);
		const preset = { format: 'tollgate-preset', version: 1, ...start } as const;
		const { id, base_url } = await root.request('POST /control/sandboxes', { body: { name, preset, world: 'demo' } });
		const run = { ...newRun(id, base_url, await new ControlApi(base_url).request('GET /control/snapshot')), isRemade };
		await this.replaceRun(lesson, run);
		await this.change((progress, now) =>
			withLesson(progress, lesson, { started: lessonIn(progress, lesson).started ?? now })
		);
		return run;
	}

	/**
	 * Starts a lesson in the sandbox of a seat, whose registered applications stay. The runs of other lessons there end.
	 * @param api of this sandbox
	 * @throws ControlError
	 */
	async startHere(
		api: ControlApi,
		sandbox: string,
		lesson: string,
		{ start }: Pick<Lesson, 'start'>
	): Promise<LessonRun> {
		const preset = { format: 'tollgate-preset', version: 1, ...start } as const;
		await api.request('POST /control/reset', { body: { preset, keep: ['applications'] } });
		for (const id of Object.keys(this.progress.lessons))
			if ((await this.run(id))?.sandbox === sandbox) await this.#storage.update(runKey(id), () => undefined);
		const run = newRun(sandbox, api.baseUrl, await api.request('GET /control/snapshot'));
		await this.replaceRun(lesson, run);
		await this.change((progress, now) =>
			withLesson(progress, lesson, { started: lessonIn(progress, lesson).started ?? now })
		);
		return run;
	}

	/** Stores a run in place of the one before. */
	async replaceRun(lesson: string, run: LessonRun): Promise<void> {
		await this.#storage.update(entriesKey(lesson), () => undefined);
		await this.#storage.update(runKey(lesson), () => run);
	}

	/** The exchanges that were kept of a run, oldest first. */
	async entries(lesson: string, { sandbox, after }: LessonRun): Promise<readonly TrafficEntry[]> {
		return parseEntries(await this.#storage.get(entriesKey(lesson)), { sandbox, after });
	}

	/** Keeps the exchanges of a run, whose log forgets. Secrets are redacted in them. */
	keepEntries(lesson: string, { sandbox, after }: LessonRun, entries: readonly TrafficEntry[]): Promise<void> {
		return this.#storage.update(entriesKey(lesson), () => ({ sandbox, after, entries: entries.slice(-mostKept) }));
	}

	/**
	 * Whether the sandbox of a run still exists and this browser controls it.
	 * @throws ControlError where the service does not respond
	 */
	async isAlive({ baseUrl }: LessonRun): Promise<boolean> {
		try {
			return (await new ControlApi(baseUrl).request('GET /control/status')).can_control;
		} catch (thrown) {
			if (thrown instanceof ControlError && thrown.status === 404) return false;
			throw thrown;
		}
	}
}

const opened = new Map<string, Promise<LessonStore>>();

/**
 * The progress and the runs of this browser, loaded. All pages of a tab share one.
 * @param path that the app is served from, without a trailing slash
 */
export function openLessonStore(path: string): Promise<LessonStore> {
	const known = opened.get(path) ?? open(path);
	opened.set(path, known);
	return known;
}

async function open(path: string): Promise<LessonStore> {
	const { storage, isPersistent } = await openLessonStorage(path);
	const store = new LessonStore(storage, isPersistent);
	await store.load();
	store.follow();
	return store;
}

import * as v from 'valibot';

const keptEntries = v.object({ sandbox: v.string(), after: v.number(), entries: v.array(trafficEntry) });

/** Validates what was kept of a run; empty where it is of another run, or of another version. */
function parseEntries(found: unknown, { sandbox, after }: Pick<LessonRun, 'sandbox' | 'after'>): TrafficEntry[] {
	const parsed = v.safeParse(keptEntries, found);
	return parsed.success && parsed.output.sandbox === sandbox && parsed.output.after === after
		? parsed.output.entries
		: [];
}

/**
 * The exchanges of a run: what was kept, then what the log has since.
 * @param after exchanges of the log up to this number belong to an earlier run
 */
export function mergeEntries(
	kept: readonly TrafficEntry[],
	log: readonly TrafficEntry[],
	after: number
): readonly TrafficEntry[] {
	const known = new Set(kept.map(({ id }) => id));
	const last = kept.at(-1)?.seq ?? after;
	const isRestarted = (log.at(-1)?.seq ?? 0) < after;
	const fresh = log.filter(({ id, seq }) => !known.has(id) && (isRestarted || seq > after));
	// A service that started again counts from 1. The numbers of a run only rise.
	const shift = Math.max(0, last + 1 - (fresh[0]?.seq ?? Infinity));
	return [...kept, ...(shift === 0 ? fresh : fresh.map((entry) => ({ ...entry, seq: entry.seq + shift })))];
}
