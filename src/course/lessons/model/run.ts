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
	/** Number of the newest exchange when the learner changed something at the service without one. */
	changedAfter: v.fallback(count, 0),
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
	const nothing = { shown: {}, entered: [], visits: [], changedAfter: 0, isRevealed: false, isRemade: false };
	return { sandbox, baseUrl, snapshot, after, ...nothing };
}

/** Whether a run has changed since another value of it. */
export function hasChanged(one: LessonRun, other: LessonRun): boolean {
	const changing = ({ shown, entered, visits, changedAfter }: LessonRun) =>
		JSON.stringify([shown, entered, visits, changedAfter]);
	return one.sandbox === other.sandbox && one.after === other.after && changing(one) !== changing(other);
}
