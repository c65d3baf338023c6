import * as v from 'valibot';
import { count, texts } from '#client/storage/schema.ts';

const run = v.object({
	/** Id of the sandbox of the lesson. */
	sandbox: v.string(),
	baseUrl: v.string(),
	/** The state in which the lesson starts, as `GET snapshot` returned it. */
	snapshot: v.unknown(),
	/** Exchanges up to this number belong to an earlier run. */
	after: v.fallback(count, 0),
	/** `X-Request-Id` of the exchanges that show each condition. A log forgets, a run does not. */
	shown: v.fallback(v.record(v.string(), texts), {}),
	entered: v.fallback(v.array(v.object({ field: v.string(), value: v.string(), after: count })), []),
	/** Which steps were opened, and after which exchange. */
	visits: v.fallback(v.array(v.object({ step: count, after: count })), []),
	/** Whether Tollgate did the lesson for the learner. */
	isRevealed: v.fallback(v.boolean(), false),
	/** Whether the sandbox before it was gone. */
	isRemade: v.fallback(v.boolean(), false)
});

/** One run of a lesson, in its own sandbox. A reset starts another one in the same sandbox. */
export type LessonRun = Readonly<v.InferOutput<typeof run>>;

/** Validates a stored run, or undefined if there is none. */
export function parseRun(found: unknown): LessonRun | undefined {
	const parsed = v.safeParse(run, found);
	return parsed.success ? parsed.output : undefined;
}

/** A run that nothing was done in. */
export function newRun(sandbox: string, baseUrl: string, snapshot: unknown, after = 0): LessonRun {
	return { sandbox, baseUrl, snapshot, after, shown: {}, entered: [], visits: [], isRevealed: false, isRemade: false };
}
