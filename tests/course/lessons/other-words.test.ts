import { expect, test } from 'vitest';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { record } from './recorded-history.ts';

const inOtherWords = (entry: TrafficEntry): TrafficEntry => ({
	...entry,
	trace: entry.trace.map((line, at) => ({ ...line, name: 'Other name', detail: `Other words ${entry.seq}.${at}` }))
});

test.each(allLessons.map(({ id }) => id))('judges %s whatever the words of the trace', async (id) => {
	const [lesson, script] = [await loadLesson(id), await loadScript(id)];
	if (lesson === undefined || script === undefined) throw new Error(`No lesson ${id}`);
	const evidence = await record(lesson, script);
	const { shown, missing } = evaluate(lesson, evidence);
	expect(missing).toBeUndefined();
	expect(evaluate(lesson, { ...evidence, entries: evidence.entries.map(inOtherWords) }).shown).toEqual(shown);
});
