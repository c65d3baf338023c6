import { afterEach, expect, it, vi } from 'vitest';
import { findSignal } from '#evidence/signals/find-signal.ts';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import type { Shown } from '#course/lessons/evaluation/condition.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { openLesson } from '../../course/lessons/lesson-sandbox.ts';
import { createTestService } from '../../service/test-service.ts';

afterEach(() => vi.unstubAllGlobals());

it.each(allLessons)('a run of lesson $id that passes raises no signal', async ({ id }) => {
	const [lesson, script] = [await loadLesson(id), await loadScript(id)];
	if (lesson === undefined || script === undefined) throw new Error(`src/course/lessons/${id} is incomplete`);
	const service = createTestService();
	const { client, evidence } = await openLesson(lesson, service.transport);
	await script(client);
	const all = await evidence();
	const raised = new Set<string>();
	let [shown, after]: [Shown, number] = [{}, 0];
	for (const [index, { seq, at }] of all.entries.entries()) {
		const entries = all.entries.slice(0, index + 1);
		const result = evaluate(lesson, { ...all, entries }, shown);
		if (Object.keys(result.shown).length > Object.keys(shown).length) after = seq;
		shown = result.shown;
		const isDone = result.missing === undefined;
		const seat = { after, inStep: 0, presence: 'active', client: undefined, lesson: id, isDone } as const;
		const signal = findSignal(entries, { ...seat, shown: Object.keys(shown).length, of: lesson.conditions.length }, at);
		if (signal !== null) raised.add(signal.id);
	}
	expect([...raised]).toEqual([]);
});
